// GeYan's document, 自定义控件. The text between the marks is quoted.
#import "GeYanSample.h"

@implementation SampleController (CustomViews)
- (void)addViews:(GyAuthViewModel *)authViewModel {
// >>> quoted
// -------------- 自定义UI设置,如,可以在授权页面添加三方登录入口 -------------------
[authViewModel setCustomUIHandler:^(UIView *customAreaView) {
UIButton *otherLoginBtn = [UIButton buttonWithType:UIButtonTypeCustom];
otherLoginBtn.frame = CGRectMake(0, customAreaView.bounds.size.height / 2 - 80, customAreaView.bounds.size.width, 40);
[otherLoginBtn setTitle:@"其他登录方式" forState:UIControlStateNormal];
[otherLoginBtn setTitleColor:[UIColor blueColor] forState:UIControlStateNormal];
[otherLoginBtn setBackgroundColor:[UIColor redColor]];
[[otherLoginBtn titleLabel] setFont:[UIFont systemFontOfSize:16]];
[otherLoginBtn addTarget:self action:@selector(clicked:) forControlEvents:UIControlEventTouchUpInside];
[customAreaView addSubview:otherLoginBtn];
}];
// <<< quoted
}
@end
