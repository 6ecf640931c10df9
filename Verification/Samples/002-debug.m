// Document 002, debug. What stands between the marks is quoted.
#import "002.h"

void sample(void) {
// >>> quoted
[GeYanSdk setDebug:YES];
// <<< quoted
}
