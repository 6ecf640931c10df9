#include "SuperIDSDKTypes.h"

#if defined(__APPLE__) && defined(__OBJC__)
@implementation SIDCameraPreviewView
@end

@implementation SIDCameraManagerViewController {
    id<SIDCameraDriving> _driving;
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
