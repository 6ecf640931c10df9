// TYRZSDK's document, "获取临时取号凭证". The text between the marks is quoted.
#import "TYRZSDKSample.h"

void sample(void) {
// >>> quoted
[TYRZSDK getPhoneNumberWithTimeout: 8000
 						completion: ^ (NSDictionary * _Nonnull sender) {
        if ([sender[@ "resultCode"] isEqualToString: @"103000"]) {
            NSLog(@ "取号成功:%@", sender);
        } else {
            NSLog(@ "取号失败:%@", sender);
        }
    }];
// <<< quoted
}
