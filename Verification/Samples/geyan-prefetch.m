// GeYan's document, 预登录. The text between the marks is quoted.
#import "GeYanSample.h"

void sample(void) {
// >>> quoted
[GeYanSdk preGetToken:^(NSDictionary *tokenDic) {
NSLog(@"获取token返回结果:%@", tokenDic);
}];
// <<< quoted
}
