// TYRZLogin's document, "获取SDK内部异常的信息". The text between the marks is quoted.
#import "TYRZLoginSample.h"

@implementation SampleController
- (void)watch {
// >>> quoted
TYRZLogin.debugDelegate = self;
// <<< quoted
}
// >>> quoted
- (void)TYRZDeBugWithMessage:(NSDictionary *)message {

    NSLog(@"debug message: %@", message);

}
// <<< quoted
@end
