// OneLogin's document, "获取免密登录 token 并使用 token 获取用户登录信息". The text between the marks is quoted.
#import "OneLoginSample.h"

@implementation SampleController (Login)
// >>> quoted
- (void)requestToken {
    OLAuthViewModel *viewModel = [[OLAuthViewModel alloc] init];
    // TO-DO 自定义viewModel
    // viewModel...

    [OneLogin requestTokenWithViewController:self viewModel:viewModel completion:^(NSDictionary * _Nullable result) {
        NSLog(@"token result: %@", result);
        NSNumber *status = [result objectForKey:@"status"];
        if ([@(200) isEqualToNumber:status]) {
            // TO-DO
            // 获取到token, 并进行手机号查询
            NSString *processID = [result objectForKey:@"processID"];
            NSString *appID     = [result objectForKey:@"appID"];
            NSString *token     = [result objectForKey:@"token"];

            [self validateTokenAndGetLoginInfo:token appID:appID processID:processID];
        }
        else {
#warning 请处理获取token的错误, 更多错误码请参考错误码文档
            NSString *errCode   = [result objectForKey:@"errorCode"];
            NSString *msg       = [result objectForKey:@"msg"];
            NSString *processID = [result objectForKey:@"processID"];
            NSString *appID     = [result objectForKey:@"appID"];
            NSString *operator  = [result objectForKey:@"operatorType"];

            // 获取网关token失败
            if ([@"-20103" isEqualToString:errCode]) {
                // TO-DO
                // 重复调用 requestTokenWithViewController:viewModel:completion:
            }
            else if ([@"-20202" isEqualToString:errCode]) {
                // TO-DO
                // 检测到未开启蜂窝网络
            }
            else if ([@"-20203" isEqualToString:errCode]) {
                // TO-DO
                // 不支持的运营商类型
            }
            else if ([@"-20204" isEqualToString:errCode]) {
                // TO-DO
                // 未获取有效的 `accessCode`, 请确保先调用过 preGetTokenWithCompletion:
            }
            else if ([@"-20302" isEqualToString:errCode]) {
                // TO-DO
                // 用户点击了授权页面上的返回按钮, 授权页面将自动关闭
            }
            else if ([@"-20303" isEqualToString:errCode]) {
                // TO-DO
                // 用户点击了授权页面上的切换账号按钮, 授权页面不会自动给关闭。如需关闭, 需调用 [OneLogin dismissAuthViewController]。
            }
            else {
                // TO-DO
                // 其他错误类型
            }

            NSLog(@"[Operator: %@] - [Error Code: %@] - [Message: %@] - [ProccesID: %@] - [APPID: %@]", operator, errCode, msg, processID, appID);

            // 一键登录失败手动关闭授权页面
            [OneLogin dismissAuthViewController];
        }
    }];
}

// 使用token进行校验, 并获取用户的登录信息
- (void)validateTokenAndGetLoginInfo:(NSString *)token appID:(NSString *)appID processID:(NSString *)processID {

    // 根据用户自己接口构造
    // 下面以POST, application/json 为例
    NSURL *url = [NSURL URLWithString:@"---<您的校验接口地址>---"];

    NSMutableURLRequest *mRequest = [[NSMutableURLRequest alloc] initWithURL:url cachePolicy:(NSURLRequestCachePolicy)0 timeoutInterval:10.0];

    NSMutableDictionary *params = [[NSMutableDictionary alloc] init];
    [params setValue:processID  forKey:@"process_id"];
    [params setValue:appID      forKey:@"id_2_sign"];
    [params setValue:token      forKey:@"token"];

    NSData *data = [NSJSONSerialization dataWithJSONObject:params options:(NSJSONWritingOptions)0 error:nil];

    mRequest.HTTPMethod = @"POST";
    mRequest.HTTPBody = data;

    [[[NSURLSession sharedSession] dataTaskWithRequest:mRequest
                                     completionHandler:^(NSData * _Nullable data, NSURLResponse * _Nullable response, NSError * _Nullable error) {
                                     // TO-DO
                                     // 处理用户信息
                                     NSLog(@"result data: %@", [[NSString alloc] initWithData:data encoding:NSUTF8StringEncoding]);
    }] resume];

}
// <<< quoted
@end
