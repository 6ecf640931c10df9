// SuperID's document, "登录接口说明". The text between the marks is quoted.
#import "SuperIDSample.h"

@implementation SampleController (Login)
// >>> quoted
- (IBAction)loginWithSuperID:(id)sender {

    NSError *error = nil;

    //获取一登登录VC，如调用有phone接口，在参数phoneNumber中传入手机号码即可。
    id SIDLoginViewController = [superIdSdk obtainLoginViewControllerWithError:&error];

    if (SIDLoginViewController) {
        //开发者须采用present方式弹出一登登录VC
        [self presentViewController:SIDLoginViewController animated:YES completion:nil];
    }else{

        NSLog(@"loginView Error =%ld,%@",(long)[error code],[error localizedDescription]);
    }
}
// <<< quoted
@end
