// SuperID's document, "账号授权绑定接口". The text between the marks is quoted.
#import "SuperIDSample.h"

@implementation SampleController (Bind)
// >>> quoted

- (IBAction)userAuthSuperID:(id)sender {

    //生成用户个人账户信息的字典：其中key: name, email, avatar这三项需跟demo所示一致：
    NSMutableDictionary *userInfo = [[NSMutableDictionary alloc] initWithObjectsAnd
    Keys:@"xxx",@"name",@"xxxx@gmail.com",@"email",@"http://xxxxxx",@"avatar", nil];

    //调用授权绑定的VC需传入用户的账号Uid，由于Demo无独立的三方账号体系，采用随机的时间戳作为Uid
    做Demo示例用
    NSError *error = nil;
    id SIDAAuthViewController = [[SuperID sharedInstance]obtainAuthViewControllerWith
    hUid:@"用户的AppUid" phoneNumber:@"用户的手机号码" appUserInfo:@"用户的应用账户信息" error
    r:&error];

    if (SIDAuthViewController) {

        [self presentViewController:SIDAuthViewController animated:YES completion:nil];

    }else{

        NSLog(@"SuperIDAuthView Error =%ld,%@",(long)[error code],[error localized
        Description]);
    }
}
// <<< quoted
@end
