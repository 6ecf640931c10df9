// TYRZSDK's document, "初始化SDK". What stands between the marks is quoted.
#import "TYRZSDKSample.h"

@implementation SampleApp
// >>> quoted
- (BOOL)application:(UIApplication *)application didFinishLaunchingWithOptions:(NSDictionary *)launchOptions {

     [TYRZSDK registerAppId:APPID appKey:APPKEY];
    return YES;
}
// <<< quoted
@end
