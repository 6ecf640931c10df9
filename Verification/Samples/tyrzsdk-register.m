// TYRZSDK's document, "初始化SDK". The text between the marks is quoted.
#import "TYRZSDKSample.h"

@implementation SampleApp
// >>> quoted
- (BOOL)application:(UIApplication *)application didFinishLaunchingWithOptions:(NSDictionary *)launchOptions {

     [TYRZSDK registerAppId:APPID appKey:APPKEY];
    return YES;
}
// <<< quoted
@end
