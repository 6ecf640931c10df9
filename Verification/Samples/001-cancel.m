// Document 001, "取消隐式登录操作". What stands between the marks is quoted.
#import "001.h"

void sample(void) {
// >>> quoted
[TYRZLogin cancel];
// <<< quoted
}
