// TYRZSDK's document, "构建授权页控制器". The text between the marks is quoted.
#import "TYRZSDKSample.h"

// >>> quoted
// CustomAuthViewController.h
@interface CustomAuthViewController : UAAuthViewController

@end

// CustomAuthViewController.m
@implementation CustomAuthViewController

-(void)setupUI{

}

@end
// <<< quoted

@implementation SampleController (Page)
- (void)showPage {
// >>> quoted
//初始化CustomAuthViewController类（即登录授权页）实例控制器，弹出这个授权页面。
CustomAuthViewController *authVC = [[CustomAuthViewController alloc]init];
[self presentViewController:authVC animated:YES completion:nil];
// <<< quoted
}
@end
