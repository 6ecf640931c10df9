// GeYan's document, debug. The text between the marks is quoted.
#import "GeYanSample.h"

void sample(void) {
// >>> quoted
[GeYanSdk setDebug:YES];
// <<< quoted
}
