#import "Sample.h"
@import GeYanSdk;

@interface SampleController : SampleScreen
@end
