#import "Sample.h"
@import TYRZSDK;

@interface SampleController : SampleScreen
@property(strong) UAAuthViewController *authVC;
@end
