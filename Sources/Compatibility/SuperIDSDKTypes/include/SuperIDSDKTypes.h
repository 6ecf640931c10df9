// The declarations of SuperID's SDK that Swift cannot make: classes that Objective-C subclasses.
#ifndef SUPER_ID_SDK_TYPES_H
#define SUPER_ID_SDK_TYPES_H

#if defined(__APPLE__) && defined(__OBJC__)
#import <UIKit/UIKit.h>

#define SID_MAIN_ACTOR __attribute__((swift_attr("@MainActor")))

@class SIDCameraManagerViewController;

/// The work of the classes below, done by SuperIDSDK.
SID_MAIN_ACTOR
@protocol SIDCameraDriving <NSObject>
- (BOOL)configureWithDuration:(float)duration width:(float)width height:(float)height
    __attribute__((swift_name("configure(duration:width:height:)")));
- (void)showIn:(nullable UIView *)view __attribute__((swift_name("show(in:)")));
- (BOOL)configureToDetectLiveness:(BOOL)detects position:(NSInteger)position
    __attribute__((swift_name("configure(detectsLiveness:position:)")));
- (void)startFeature;
- (void)startLiveness;
- (void)searchFrom:(nullable NSString *)sourceId in:(nullable NSString *)groupId
    __attribute__((swift_name("startSearch(from:in:)")));
- (void)stop;
@property (nonatomic, readonly) BOOL isRunning;
@property (nonatomic, readonly, nullable) id previewLayer;
@property (nonatomic, readonly) BOOL hasFoundFace;
/// A SIDAVCamSetupResult.
@property (nonatomic, readonly) NSInteger setupResult;

- (void)lightIn:(nullable UIView *)view __attribute__((swift_name("light(in:)")));
@property (nonatomic) BOOL isLightAllowed;
@property (nonatomic) BOOL isLit;
@property (nonatomic) BOOL hearsDoubleTaps;
- (void)doubleTapped;
@end

SID_MAIN_ACTOR
typedef id<SIDCameraDriving> _Nonnull (^SIDCameraDriver)(SIDCameraManagerViewController *_Nonnull owner);

/// A view in which a later release of the SDK shows what the camera sees.
SID_MAIN_ACTOR
@interface SIDCameraPreviewView : UIView
@end

/// Whether there is a camera that may be used.
typedef NS_ENUM(NSInteger, SIDAVCamSetupResult) {
    AVCamSetupResultSuccess __attribute__((swift_name("success"))),
    AVCamSetupResultCameraNotAuthorized __attribute__((swift_name("cameraNotAuthorized"))),
    AVCamSetupResultSessionConfigurationFailed __attribute__((swift_name("sessionConfigurationFailed"))),
};

/// The camera that a screen begins with.
typedef NS_ENUM(NSInteger, SIDPreferCameraDevicePosition) {
    SIDPreferCameraDeviceBack __attribute__((swift_name("back"))) = 1,
    SIDPreferCameraDeviceFront __attribute__((swift_name("front"))),
};

/// The base of an app's own screens with the camera, and a screen of its own for a liveness check. Subclass it, and
/// override its callbacks, which are on the main thread.
///
/// The check is the server's: it compares the face once more with the account's. It asks for movements, which the SDK
/// shows to the person over the preview. So it needs a logged-in person. Each start ends with one call of
/// `finishGetFaceWithLivenessScore:`, `overTimeGetFace` or `cannotAccessCamera`, or with none after it was stopped.
SID_MAIN_ACTOR
@interface SIDCameraManagerViewController : UIViewController

/// Call it in `viewDidLoad`. NO before the app has registered, and for a camera that there is not.
///
/// - flag: whether `startLivenessDetect` checks anything. Otherwise it shows what the camera sees.
- (BOOL)configureCameraManagerWithLivenessDetectFlag:(BOOL)flag
                                          SIDPreview:(nullable SIDCameraPreviewView *)previewView
                                       cameraPositon:(SIDPreferCameraDevicePosition)positon
    __attribute__((swift_name("configureCameraManager(withLivenessDetectFlag:sidPreview:cameraPositon:)")));

/// A second start while one runs does nothing.
- (void)startLivenessDetect;
/// The same with the night mode on.
- (void)startLivenessDetectUnderNightMode;
- (void)stopLivenssDetect;
- (void)stopCameraSession;
- (void)destoryCameraModule;

/// Whether the last check found the account's face.
- (BOOL)isGetFace;
/// As far as it is known: before the person was asked it is AVCamSetupResultSuccess.
- (SIDAVCamSetupResult)getCameraSetupResult;

/// Night mode: the screen lights the face, with a white ground under `view` and all of its brightness. It ends when it
/// is closed or the screen goes away. It opens only once it was enabled.
- (void)configNightModeInView:(nullable UIView *)view __attribute__((swift_name("configNightMode(in:)")));
- (void)enableNightMode;
- (BOOL)isNightModeEnable;
- (void)openNightMode;
- (void)closeNightMode;

/// Lets a double tap on the screen open and close the night mode.
- (void)openDoubleTapGesture;
- (void)enableDoubleTap;
- (void)disableDoubleTap;

/// Does nothing: no picture is kept.
- (void)enableAutoSaveAvatar;
/// Does nothing: no points are drawn.
- (void)hideFaceLandmarks;

/// Override: it is the account's face. The server says yes or no, so the score is 1.
- (void)finishGetFaceWithLivenessScore:(float)score __attribute__((swift_name("finishGetFace(withLivenessScore:)")));
/// Override: it ended without that, for whatever reason.
- (void)overTimeGetFace;
/// Override: the person does not let the app use the camera.
- (void)cannotAccessCamera;

/// The driver of this one; nil before the first call, and when nothing of SuperID was used before.
@property (nonatomic, readonly, nullable) id<SIDCameraDriving> driving;

/// Set by SuperIDSDK.
@property (class, nonatomic, copy, nullable) SIDCameraDriver driver;

@end

/// An app's own screen for face attributes: subclass it, and override what it calls.
///
/// Starting needs an account that has authorised the app. It ends with one call of
/// `getFaceFeatureSucceedWithFeatureInfo:` or `getFaceFeatureFail:`, on the main thread, or with none after
/// `stopDetectFaceFeature`.
SID_MAIN_ACTOR
@interface SIDFaceFeatureViewController : SIDCameraManagerViewController

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

/// Override: the measured attributes.
- (void)getFaceFeatureSucceedWithFeatureInfo:(nonnull NSDictionary *)featureInfo
    __attribute__((swift_name("getFaceFeatureSucceed(withFeatureInfo:)")));

/// Override: an error of the documented codes.
- (void)getFaceFeatureFail:(nonnull NSError *)error __attribute__((swift_name("getFaceFeatureFail(_:)")));

/// An AVCaptureVideoPreviewLayer.
- (nullable id)getCurrentPreviewLayer;

@end

/// The callbacks of an app's own screen for a search, on the main thread. Adopt it in the subclass.
SID_MAIN_ACTOR
@protocol SIDSearchFaceProtocol <NSObject>

/// The search is over.
///
/// - isSucceed: whether a person of the group was found.
/// - usersArray: the openId of the one person, as an NSString; empty otherwise. Being found is no login.
- (void)groupCompareResult:(BOOL)isSucceed usersArray:(nonnull NSArray *)usersArray
    __attribute__((swift_name("groupCompareResult(_:usersArray:)")));

/// Ends the search in place of that: the person did not follow the instructions, or there was no person.
- (void)userCannotPassLivenessDetect;

/// The face was seen, and is being looked for.
- (void)hasGetTheUserFace;

@end

/// An app's own screen that looks for a face in one of the app's groups: subclass it, and adopt SIDSearchFaceProtocol.
///
/// Each start asks the person first whether their face may be used, on a screen over this one. Then it shows the
/// instructions over the preview. It ends with one call of `groupCompareResult:usersArray:` or
/// `userCannotPassLivenessDetect`, or with none when the screen goes away before.
SID_MAIN_ACTOR
@interface SIDSearchFaceViewController : SIDCameraManagerViewController

/// Call it in `viewDidLoad`.
- (void)setupSearchFaceManagerWithPreview:(nullable SIDCameraPreviewView *)previewView
    __attribute__((swift_name("setupSearchFaceManager(withPreview:)")));

/// A second start while one runs does nothing.
///
/// - sourceId: the app's own id, or nil. Other apps' groups are not searched.
/// - groupId: one group's id. Several ids with commas between them find no person.
- (void)startDetectFaceWithSourceId:(nullable NSString *)sourceId GroupId:(nullable NSString *)groupId
    __attribute__((swift_name("startDetectFace(withSourceId:groupId:)")));

@end
#endif

#endif
