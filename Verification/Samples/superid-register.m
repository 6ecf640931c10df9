// SuperID's document, "添加 SDK 的初始化代码". The text between the marks is quoted.
#import "SuperIDSample.h"

@implementation SampleApp
// >>> quoted
- (BOOL)application:(UIApplication *)application didFinishLaunchingWithOptions:(NSDictionary *)launchOptions {

    [[SuperID sharedInstance]registerAppWithAppID:@"应用的AppID" withAppSecret:@"应用的AppSecret"];

    return YES;
}
// <<< quoted
@end
