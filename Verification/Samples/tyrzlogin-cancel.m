// TYRZLogin's document, "取消隐式登录操作". The text between the marks is quoted.
#import "TYRZLoginSample.h"

void sample(void) {
// >>> quoted
[TYRZLogin cancel];
// <<< quoted
}
