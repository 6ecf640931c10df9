// SuperID's document, "摄像头权限". The text between the marks is quoted.
#import "SuperIDSample.h"

void sample(void) {
// >>> quoted
NSBundle *bundle =[NSBundle mainBundle];
NSDictionary *info =[bundle infoDictionary];
NSString *AppName =[info objectForKey:@"CFBundleDisplayName"];
NSString *MessageString=[NSString stringWithFormat:@"请手动开启相机权限：iPhone设置-隐私-相机-(%)打开",AppName];
UIAlertView *alert=[[UIAlertView alloc]initWithTitle:@"无法启动相机"
                                                message:MessageString
                                                delegate:nil
                                                cancelButtonTitle:@"我知道了"
                                                otherButtonTitles:nil, nil];

[alert show];
// <<< quoted
}
