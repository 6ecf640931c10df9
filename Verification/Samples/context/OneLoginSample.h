#import "Sample.h"
@import OneLoginSDK;

@interface SampleController : SampleScreen <OneLoginDelegate>
@end
