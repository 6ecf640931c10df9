// OneLogin's document, "注册及预取号" and "预取号". The text between the marks is quoted.
// >>> quoted
#import <OneLoginSDK/OneLoginSDK.h>
// <<< quoted
#import "OneLoginSample.h"

void sample(void) {
// >>> quoted
[OneLogin registerWithAppID:@"---<申请的AppID>---"];
// <<< quoted
// >>> quoted
[OneLogin preGetTokenWithCompletion:^(NSDictionary * _Nonnull sender) {
    NSLog(@"sender: %@", sender.description);
    NSNumber *status = [sender objectForKey:@"status"];
    if (status && [@(200) isEqualToNumber:status]) {
        // 预取号成功

    }
    else {
#warning 请处理预取号的错误, 更多错误码请参考错误码文档
        NSString *errCode   = [sender objectForKey:@"errorCode"];
        NSString *msg       = [sender objectForKey:@"msg"];
        NSString *processID = [sender objectForKey:@"processID"];
        NSString *appID     = [sender objectForKey:@"appID"];
        NSString *operator  = [sender objectForKey:@"operatorType"];

        NSLog(@"[Operator: %@] - [Error Code: %@] - [Message: %@] - [ProccesID: %@] - [APPID: %@]", operator, errCode, msg, processID, appID);

        // 预取号失败
        if ([@"-20101" isEqualToString:errCode]) {
            // TO-DO
            // 未配置 AppID，请通过 registerWithAppID: 配置 AppID
        }
        else if ([@"-20102" isEqualToString:errCode]) {
            // TO-DO
            // 重复调用 preGetTokenWithCompletion:
        }
        else if ([@"-20202" isEqualToString:errCode]) {
            // TO-DO
            // 检测到未开启蜂窝网络
        }
        else if ([@"-20203" isEqualToString:errCode]) {
            // TO-DO
            // 不支持的运营商类型
        }
        else {
            // TO-DO
            // 其他错误类型
        }
    }
}];
// <<< quoted
}
