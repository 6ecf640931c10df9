#import "Sample.h"
@import SuperIDSDK;

@interface SampleController : SampleScreen <SuperIDDelegate> {
    SuperID *superIdSdk;
}
@end
