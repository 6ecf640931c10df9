// GeYan's document, debug. What stands between the marks is quoted.
#import "GeYanSample.h"

void sample(void) {
// >>> quoted
[GeYanSdk setDebug:YES];
// <<< quoted
}
