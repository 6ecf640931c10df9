#import "Sample.h"
@import TYRZLogin;

@interface SampleController : SampleScreen <TYRZLoginDelegate>
@end
