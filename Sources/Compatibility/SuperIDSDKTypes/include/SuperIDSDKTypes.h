// What SuperID's SDK declares and Swift cannot: a class that Objective-C subclasses.
#ifndef SUPER_ID_SDK_TYPES_H
#define SUPER_ID_SDK_TYPES_H

#if defined(__APPLE__) && defined(__OBJC__)
#import <UIKit/UIKit.h>

#define SID_MAIN_ACTOR __attribute__((swift_attr("@MainActor")))

@class SIDFaceFeatureViewController;

/// What the class below does, made by SuperIDSDK.
SID_MAIN_ACTOR
@protocol SIDFaceFeatureDriving <NSObject>
- (BOOL)configureWithDuration:(float)duration width:(float)width height:(float)height
    __attribute__((swift_name("configure(duration:width:height:)")));
- (void)showIn:(nullable UIView *)view __attribute__((swift_name("show(in:)")));
- (void)start;
- (void)stop;
@property (nonatomic, readonly) BOOL isRunning;
@property (nonatomic, readonly, nullable) id previewLayer;
@end

SID_MAIN_ACTOR
typedef id<SIDFaceFeatureDriving> _Nonnull (^SIDFaceFeatureDriver)(SIDFaceFeatureViewController *_Nonnull owner);

/// A view in which a later release of the SDK shows what the camera sees.
SID_MAIN_ACTOR
@interface SIDCameraPreviewView : UIView
@end

/// An app's own screen for face attributes: subclass it, and override what it calls.
///
/// Starting needs an account that has authorised the app. It ends with one call of `getFaceFeatureSucceedWithFeatureInfo:` or
/// `getFaceFeatureFail:`, on the main thread, or with none after `stopDetectFaceFeature`.
SID_MAIN_ACTOR
@interface SIDFaceFeatureViewController : UIViewController

/// Call it in `viewDidLoad`.
///
/// - duration: seconds after which no face is an error (-1016); at most 30, and 0 for that.
/// - width, high: points of the preview, at most 480 and 640; 0 for these.
///
/// NO for other values, and before the app has registered.
- (BOOL)configureFaceFeatureViewWithDuration:(float)duration withFrameWidth:(float)width high:(float)high
    __attribute__((swift_name("configureFaceFeatureView(withDuration:withFrameWidth:high:)")));

/// The same in later releases, with a view that shows what the camera sees.
- (void)setupFaceFeatureManagerWithPreview:(nullable SIDCameraPreviewView *)previewView
    __attribute__((swift_name("setupFaceFeatureManager(withPreview:)")));

- (void)startDetectFaceFeature;
- (void)stopDetectFaceFeature;

/// Override: a good picture of a face was found.
- (void)didFinishDetectFace;

/// Override: what was measured.
- (void)getFaceFeatureSucceedWithFeatureInfo:(nonnull NSDictionary *)featureInfo
    __attribute__((swift_name("getFaceFeatureSucceed(withFeatureInfo:)")));

/// Override: an error of the documented codes.
- (void)getFaceFeatureFail:(nonnull NSError *)error __attribute__((swift_name("getFaceFeatureFail(_:)")));

/// An AVCaptureVideoPreviewLayer.
- (nullable id)getCurrentPreviewLayer;

/// What drives this one; nil before the first call, and when nothing of SuperID was used before.
@property (nonatomic, readonly, nullable) id<SIDFaceFeatureDriving> driving;

/// Set by SuperIDSDK.
@property (class, nonatomic, copy, nullable) SIDFaceFeatureDriver driver;

@end
#endif

#endif
