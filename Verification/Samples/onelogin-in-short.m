// OneLogin's document, "配置接口". The text between the marks is quoted.
#import "OneLoginSample.h"

@implementation SampleController (InShort)
- (void)inShort:(OLAuthViewModel *)viewModel {
// >>> quoted
    [OneLogin registerWithAppID:@"---<申请的AppID>---"];
// <<< quoted
// >>> quoted
    [OneLogin preGetTokenWithCompletion:^(NSDictionary * _Nonnull sender) {
        NSLog(@"sender: %@", sender.description);
    }];
// <<< quoted
// >>> quoted
    [OneLogin requestTokenWithViewController:self viewModel:viewModel completion:^(NSDictionary * _Nullable result) {
        NSNumber *status = [result objectForKey:@"status"];
        if ([@(200) isEqualToNumber:status]) { // 获取token成功
            // TO-DO
            // 校验和获取登录的用户的数据

        }
        else {
            NSLog(@"result: %@", result);
        }
    }];
// <<< quoted
}
@end
