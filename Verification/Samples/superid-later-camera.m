@import SuperIDSDK;
@import UIKit;

// No document's: an app's own screen for a liveness check.
@interface LivenessController : SIDCameraManagerViewController
@end

@implementation LivenessController
- (void)viewDidLoad {
    [super viewDidLoad];
    SIDCameraPreviewView *preview = [[SIDCameraPreviewView alloc] init];
    preview.frame = self.view.bounds;
    [self.view addSubview:preview];
    if ([self configureCameraManagerWithLivenessDetectFlag:YES
                                                SIDPreview:preview
                                             cameraPositon:SIDPreferCameraDeviceFront]) {
        [self configNightModeInView:self.view];
        [self enableNightMode];
        [self openDoubleTapGesture];
    }
}

- (void)viewDidAppear:(BOOL)animated {
    [super viewDidAppear:animated];
    if ([self getCameraSetupResult] == AVCamSetupResultSuccess) {
        [self startLivenessDetect];
    }
}

- (void)finishGetFaceWithLivenessScore:(float)score {
    NSLog(@"%d", [self isGetFace]);
}

- (void)overTimeGetFace {
    [self startLivenessDetectUnderNightMode];
}

- (void)cannotAccessCamera {
    [self destoryCameraModule];
}
@end
