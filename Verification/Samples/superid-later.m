#import "Sample.h"
@import SuperIDSDK;

// No document's: how apps call what SuperID's releases to 1.9.9 added to SuperID's document.
@interface LaterController : SampleScreen <SuperIDDelegate>
@end

@implementation LaterController
- (void)viewDidLoad {
    [super viewDidLoad];
    [SuperID registerAppWithAppID:@"appid" withAppSecret:@"secret"];
    [SuperID setupSuperIDDelegate:self];
    [SuperID setThemeColor:[UIColor redColor]];
    [SuperID setLanguageMode:SIDAutoMode];
    NSLog(@"%@ %@", [SuperID getSDKVersion], [SuperID isAppAuth] ? [SuperID getSIDUserInfoData] : nil);
}

- (void)logIn {
    SIDAppUserInfoModel *model = [[SIDAppUserInfoModel alloc] init];
    model.phone = @"13800000000";
    model.otherInfo = @{@"level": @"3"};
    [SIDCoreLoginKit showLoginViewControllerWithAppUserInfoModel:model
                                                   responseBlock:^(NSDictionary *result, NSError *error) {
        NSLog(@"%@ %@", result, [error localizedDescription]);
    }];
}

- (void)verify {
    NSError *error = nil;
    UINavigationController *screen = [SuperID obtainFaceVerifyViewControllerWithRetryCount:@3 error:&error];
    if (screen) {
        [self presentViewController:screen animated:YES completion:nil];
    }
    [SIDCoreLoginKit showFaceVerifyViewControllerWithRetryCount:nil
                                                  responseBlock:^(SIDFACEVerifyState result, NSError *failure) {
        NSLog(@"%@", result == SIDFaceVerifySucceed ? @"yes" : [failure localizedDescription]);
    }];
    [SIDCoreLoginKit showFaceFeatureViewControllerWithResponseBlock:^(NSDictionary *result, NSError *failure) {
        NSLog(@"%@ %@", result, failure);
    }];
}

- (void)superID:(SuperID *)sender
    userDidFinishLoginWithUserInfo:(NSDictionary *)userInfo
                            openId:(NSString *)openId
                             error:(NSError *)error {
    [SuperID queryCurrentUserAuthorizationStateWithOpenId:openId];
}

- (void)superID:(SuperID *)sender faceVerifyResponse:(SIDFACEVerifyState)state {
    if (state == SIDFaceVerifyFail) {
        [SuperID removeThemeColor];
    }
}

- (void)superID:(SuperID *)sender getAppTokenResponse:(SIDGetAppTokenState)state {
    if (state == SIDGetAppTokenNetWorkError) {
        [SuperID retryInitialSuperIDSDK];
    }
}

- (void)superID:(SuperID *)sender
    updateSuperIDAccountResponse:(SIDUpdateAccountState)state
                      updateInfo:(NSDictionary *)info {
    NSLog(@"%@", state == SIDAccountUpdate_accountBeenFrozen ? info : nil);
}

- (void)viewWillTransitionToSize:(CGSize)size
       withTransitionCoordinator:(id<UIViewControllerTransitionCoordinator>)coordinator {
    [SuperID SIDViewControllerWillTransitionToSize:size
                         withTransitionCoordinator:coordinator
                          fromSourceViewController:self];
}
@end
