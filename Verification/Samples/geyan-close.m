// GeYan's document, 关闭登录界面. The text between the marks is quoted.
#import "GeYanSample.h"

void sample(void) {
// >>> quoted
[GeYanSdk closeAuthVC:NO completion:^{
NSLog(@"关闭页面成功");
}];
// <<< quoted
}
