#include "SuperIDSDKTypes.h"

#if defined(__APPLE__) && defined(__OBJC__)
@implementation SIDCameraPreviewView
@end

@implementation SIDCameraManagerViewController {
    id<SIDCameraDriving> _driving;
    UITapGestureRecognizer *_doubleTap;
}

static SIDCameraDriver driverOfAll;

+ (SIDCameraDriver)driver {
    return driverOfAll;
}

+ (void)setDriver:(SIDCameraDriver)driver {
    driverOfAll = [driver copy];
}

- (id<SIDCameraDriving>)driving {
    if (_driving == nil && driverOfAll != nil) {
        _driving = driverOfAll(self);
    }
    return _driving;
}

- (void)viewDidDisappear:(BOOL)animated {
    [super viewDidDisappear:animated];
    [_driving stop];
}

- (BOOL)configureCameraManagerWithLivenessDetectFlag:(BOOL)flag
                                          SIDPreview:(SIDCameraPreviewView *)previewView
                                       cameraPositon:(SIDPreferCameraDevicePosition)positon {
    if (![self.driving configureToDetectLiveness:flag position:positon]) {
        return NO;
    }
    [self.driving showIn:previewView];
    return YES;
}

- (void)startLivenessDetect {
    [self.driving startLiveness];
}

- (void)startLivenessDetectUnderNightMode {
    self.driving.isLit = YES;
    [self.driving startLiveness];
}

- (void)stopLivenssDetect {
    [_driving stop];
}

- (void)stopCameraSession {
    [_driving stop];
}

- (void)destoryCameraModule {
    [_driving stop];
}

- (BOOL)isGetFace {
    return self.driving.hasFoundFace;
}

- (SIDAVCamSetupResult)getCameraSetupResult {
    return (SIDAVCamSetupResult)self.driving.setupResult;
}

- (void)configNightModeInView:(UIView *)view {
    [self.driving lightIn:view];
}

- (void)enableNightMode {
    self.driving.isLightAllowed = YES;
}

- (BOOL)isNightModeEnable {
    return self.driving.isLightAllowed;
}

- (void)openNightMode {
    self.driving.isLit = YES;
}

- (void)closeNightMode {
    self.driving.isLit = NO;
}

- (void)openDoubleTapGesture {
    if (_doubleTap == nil) {
        _doubleTap = [[UITapGestureRecognizer alloc] initWithTarget:self action:@selector(sidDoubleTapped)];
        _doubleTap.numberOfTapsRequired = 2;
        [self.view addGestureRecognizer:_doubleTap];
    }
    self.driving.hearsDoubleTaps = YES;
}

- (void)sidDoubleTapped {
    [self.driving doubleTapped];
}

- (void)enableDoubleTap {
    self.driving.hearsDoubleTaps = YES;
}

- (void)disableDoubleTap {
    self.driving.hearsDoubleTaps = NO;
}

- (void)enableAutoSaveAvatar {
}

- (void)hideFaceLandmarks {
}

- (void)finishGetFaceWithLivenessScore:(float)score {
}

- (void)overTimeGetFace {
}

- (void)cannotAccessCamera {
}

@end

@implementation SIDFaceFeatureViewController

- (BOOL)configureFaceFeatureViewWithDuration:(float)duration withFrameWidth:(float)width high:(float)high {
    return [self.driving configureWithDuration:duration width:width height:high];
}

- (void)setupFaceFeatureManagerWithPreview:(SIDCameraPreviewView *)previewView {
    [self.driving showIn:previewView];
}

- (void)startDetectFaceFeature {
    [self.driving startFeature];
}

- (void)stopDetectFaceFeature {
    [self.driving stop];
}

- (void)didFinishDetectFace {
}

- (void)getFaceFeatureSucceedWithFeatureInfo:(NSDictionary *)featureInfo {
}

- (void)getFaceFeatureFail:(NSError *)error {
}

- (id)getCurrentPreviewLayer {
    return self.driving.previewLayer;
}

@end

@implementation SIDSearchFaceViewController

- (void)setupSearchFaceManagerWithPreview:(SIDCameraPreviewView *)previewView {
    [self.driving showIn:previewView];
}

- (void)startDetectFaceWithSourceId:(NSString *)sourceId GroupId:(NSString *)groupId {
    [self.driving searchFrom:sourceId in:groupId];
}

@end
#endif
