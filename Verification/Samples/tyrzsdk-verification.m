// TYRZSDK's document, "本机号码校验". The text between the marks is quoted.
#import "TYRZSDKSample.h"

@implementation SampleController (Verification)
// >>> quoted
-(void)loginImplicity{
// 1.调用取号方法
    [TYRZSDK getPhonenumberWithTimeout:8000 completion:^(NSDictionary * _Nonnull sender){
        if ([sender[@"resultCode"] isEqualToString:@"103000"]) {
            NSLog(@"取号成功:%@",sender);

// 2.调用授权方法
            [TYRZSDK getAuthorizationWithAuthViewController:nil completion:^(NSDictionary * _Nonnull sender) {
                if ([sender[@"resultCode"] isEqualToString:@"103000"]) {
                    NSLog(@"隐式登录成功:%@",sender);
                }else{
                    NSLog(@"隐式登录失败:%@",sender);
                }
            }];
        } else {
            NSLog(@"取号失败:%@",sender);
        }
    }];
}
// <<< quoted
@end
