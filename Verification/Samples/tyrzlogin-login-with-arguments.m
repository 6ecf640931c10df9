// TYRZLogin's document, "获取token". The text between the marks is quoted.
#import "TYRZLoginSample.h"

@implementation SampleController (Login)
// >>> quoted
/**
 隐式登录
 */
- (IBAction)loginimplicit:(id)sender {

    [TYRZLogin loginImplicitlyWithAppId:APPID
                                 appkey:APPKEY
                                 capaId:@"200"
                               capaIdTime:@""
                                   scene:@"scene"
                               complete:^(id sender) {
                                   NSString *resultCode = sender[@"resultCode"];
                                   self.token = sender[@"token"];
                                   NSMutableDictionary *result = [NSMutableDictionary dictionaryWithDictionary:sender];
                                   if ([resultCode isEqualToString:CLIENTSUCCESSCODECLIENT]) {
                                       result[@"result"] = @"获取token成功";
                                   } else {
                                       result[@"result"] = @"获取token失败";
                                   }
                                   [self showInfo:result];
                               }];
}
// <<< quoted
@end
