// GeYan's document, 一键认证. The text between the marks is quoted.
#import "GeYanSample.h"

@implementation SampleController (Login)
- (void)logIn {
// >>> quoted
//调用此接口接口前请调用 preGetToken 并成功获取到 accessCode
GyAuthViewModel *authViewModel = [[GyAuthViewModel alloc] init];
GyAuthPrivacyItem *item1 = [[GyAuthPrivacyItem alloc] initWithTitle:@"隐私条款一"
linkURL:[NSURL URLWithString:@"https://getui.com"]];
GyAuthPrivacyItem *item2 = [[GyAuthPrivacyItem alloc] initWithTitle:@"隐私条款二"
linkURL:[NSURL URLWithString:@"https://getui.com"]];
authViewModel.additionalPrivacyTerms = [@[item1, item2] mutableCopy];
[GeYanSdk oneTapLogin:self withViewModel:authViewModel andCallback:^(NSDictionary *verifyDictionary) {
NSLog(@"一键认证返回结果:%@", verifyDictionary);
[GeYanSdk closeAuthVC];
}];
// <<< quoted
}
@end
