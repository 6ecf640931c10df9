#include "SuperIDSDKTypes.h"

#if defined(__APPLE__) && defined(__OBJC__)
@implementation SIDCameraPreviewView
@end

@implementation SIDFaceFeatureViewController {
    id<SIDFaceFeatureDriving> _driving;
}

static SIDFaceFeatureDriver driverOfAll;

+ (SIDFaceFeatureDriver)driver {
    return driverOfAll;
}

+ (void)setDriver:(SIDFaceFeatureDriver)driver {
    driverOfAll = [driver copy];
}

- (id<SIDFaceFeatureDriving>)driving {
    return _driving;
}

- (id<SIDFaceFeatureDriving>)made {
    if (_driving == nil && driverOfAll != nil) {
        _driving = driverOfAll(self);
    }
    return _driving;
}

- (BOOL)configureFaceFeatureViewWithDuration:(float)duration withFrameWidth:(float)width high:(float)high {
    return [[self made] configureWithDuration:duration width:width height:high];
}

- (void)setupFaceFeatureManagerWithPreview:(SIDCameraPreviewView *)previewView {
    [[self made] showIn:previewView];
}

- (void)startDetectFaceFeature {
    [[self made] start];
}

- (void)stopDetectFaceFeature {
    [_driving stop];
}

- (void)viewDidDisappear:(BOOL)animated {
    [super viewDidDisappear:animated];
    [_driving stop];
}

- (void)didFinishDetectFace {
}

- (void)getFaceFeatureSucceedWithFeatureInfo:(NSDictionary *)featureInfo {
}

- (void)getFaceFeatureFail:(NSError *)error {
}

- (id)getCurrentPreviewLayer {
    return [[self made] previewLayer];
}

@end
#endif
