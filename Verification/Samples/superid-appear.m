// SuperID's document, "登录接口说明". The text between the marks is quoted.
#import "SuperIDSample.h"

@implementation SampleController (Appear)
// >>> quoted
-(void)viewWillAppear{
    ...
    [super viewWillAppear:animated];

    superIdSdk = [SuperID sharedInstance];    //获取SDK单例对象；
    superIdSdk.delegate = self;              //设置SDK的委托对象
}
// <<< quoted
@end
