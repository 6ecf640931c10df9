#pragma once
#import <Foundation/Foundation.h>
#import <QuartzCore/QuartzCore.h>
#import <CoreMedia/CoreMedia.h>

NS_ASSUME_NONNULL_BEGIN
NS_SWIFT_UI_ACTOR
@interface AVPlayerItem : NSObject
- (instancetype)initWithURL:(NSURL *)url;
@end
NS_SWIFT_UI_ACTOR
@interface AVPlayer : NSObject
- (instancetype)initWithPlayerItem:(nullable AVPlayerItem *)item;
@property(getter=isMuted) BOOL muted;
@property float rate;
@property BOOL preventsDisplaySleepDuringVideoPlayback API_AVAILABLE_IOS(12.0);
@property(nullable, readonly, strong) AVPlayerItem *currentItem;
- (void)play;
- (void)pause;
@end
NS_SWIFT_UI_ACTOR
@interface AVQueuePlayer : AVPlayer
@end
NS_SWIFT_UI_ACTOR
@interface AVPlayerLooper : NSObject
- (instancetype)initWithPlayer:(AVQueuePlayer *)player templateItem:(AVPlayerItem *)item;
+ (instancetype)playerLooperWithPlayer:(AVQueuePlayer *)player templateItem:(AVPlayerItem *)item;
- (void)disableLooping;
@end

typedef NSString *AVLayerVideoGravity NS_TYPED_ENUM;
extern const AVLayerVideoGravity AVLayerVideoGravityResizeAspect, AVLayerVideoGravityResizeAspectFill;
@interface AVPlayerLayer : CALayer
+ (AVPlayerLayer *)playerLayerWithPlayer:(nullable AVPlayer *)player;
@property(nullable, strong) AVPlayer *player;
@property(copy) AVLayerVideoGravity videoGravity;
@end

// The camera.
typedef NSString *AVMediaType NS_TYPED_EXTENSIBLE_ENUM;
extern const AVMediaType AVMediaTypeVideo;
typedef NSString *AVCaptureDeviceType NS_TYPED_ENUM NS_SWIFT_NAME(AVCaptureDevice.DeviceType);
extern const AVCaptureDeviceType AVCaptureDeviceTypeBuiltInWideAngleCamera API_AVAILABLE_IOS(10.0);
typedef NSString *AVCaptureSessionPreset NS_TYPED_ENUM NS_SWIFT_NAME(AVCaptureSession.Preset);
extern const AVCaptureSessionPreset AVCaptureSessionPreset640x480 NS_SWIFT_NAME(vga640x480);
typedef NS_ENUM(NSInteger, AVCaptureDevicePosition) {
    AVCaptureDevicePositionUnspecified, AVCaptureDevicePositionBack, AVCaptureDevicePositionFront,
} NS_SWIFT_NAME(AVCaptureDevice.Position);
typedef NS_ENUM(NSInteger, AVAuthorizationStatus) {
    AVAuthorizationStatusNotDetermined, AVAuthorizationStatusRestricted, AVAuthorizationStatusDenied,
    AVAuthorizationStatusAuthorized,
};
typedef NS_ENUM(NSInteger, AVCaptureVideoOrientation) {
    AVCaptureVideoOrientationPortrait = 1, AVCaptureVideoOrientationPortraitUpsideDown,
    AVCaptureVideoOrientationLandscapeRight, AVCaptureVideoOrientationLandscapeLeft,
};

@interface AVCaptureDevice : NSObject
+ (nullable AVCaptureDevice *)defaultDeviceWithDeviceType:(AVCaptureDeviceType)type
                                                mediaType:(nullable AVMediaType)media
                                                 position:(AVCaptureDevicePosition)position API_AVAILABLE_IOS(10.0)
    NS_SWIFT_NAME(default(_:for:position:));
+ (AVAuthorizationStatus)authorizationStatusForMediaType:(AVMediaType)type NS_SWIFT_NAME(authorizationStatus(for:));
+ (void)requestAccessForMediaType:(AVMediaType)type
                completionHandler:(NS_SWIFT_SENDABLE void (^)(BOOL granted))handler
    NS_SWIFT_NAME(requestAccess(for:completionHandler:));
@property(readonly) AVCaptureDevicePosition position;
@end
@interface AVCaptureInput : NSObject
@end
@interface AVCaptureDeviceInput : AVCaptureInput
- (nullable instancetype)initWithDevice:(AVCaptureDevice *)device error:(NSError *_Nullable *_Nullable)error;
@end
@class AVCaptureConnection;
@interface AVCaptureOutput : NSObject
- (nullable AVCaptureConnection *)connectionWithMediaType:(AVMediaType)type NS_SWIFT_NAME(connection(with:));
@end
@interface AVCaptureConnection : NSObject
@property(readonly, getter=isVideoOrientationSupported) BOOL supportsVideoOrientation API_DEPRECATED_IOS(4.0, 17.0);
@property AVCaptureVideoOrientation videoOrientation API_DEPRECATED_IOS(4.0, 17.0);
@property CGFloat videoRotationAngle API_AVAILABLE_IOS(17.0);
- (BOOL)isVideoRotationAngleSupported:(CGFloat)angle API_AVAILABLE_IOS(17.0);
@property(readonly, getter=isVideoMirroringSupported) BOOL supportsVideoMirroring;
@property BOOL automaticallyAdjustsVideoMirroring;
@property(getter=isVideoMirrored) BOOL videoMirrored;
@end
@protocol AVCaptureVideoDataOutputSampleBufferDelegate <NSObject>
@optional
- (void)captureOutput:(AVCaptureOutput *)output
    didOutputSampleBuffer:(CMSampleBufferRef)buffer
           fromConnection:(AVCaptureConnection *)connection NS_SWIFT_NAME(captureOutput(_:didOutput:from:));
@end
@interface AVCaptureVideoDataOutput : AVCaptureOutput
- (instancetype)init NS_DESIGNATED_INITIALIZER;
@property BOOL alwaysDiscardsLateVideoFrames;
@end
@interface AVCaptureSession : NSObject
@property(copy) AVCaptureSessionPreset sessionPreset;
- (BOOL)canSetSessionPreset:(AVCaptureSessionPreset)preset NS_SWIFT_NAME(canSetSessionPreset(_:));
- (void)beginConfiguration;
- (void)commitConfiguration;
- (BOOL)canAddInput:(AVCaptureInput *)input NS_SWIFT_NAME(canAddInput(_:));
- (void)addInput:(AVCaptureInput *)input NS_SWIFT_NAME(addInput(_:));
- (BOOL)canAddOutput:(AVCaptureOutput *)output NS_SWIFT_NAME(canAddOutput(_:));
- (void)addOutput:(AVCaptureOutput *)output NS_SWIFT_NAME(addOutput(_:));
- (void)startRunning;
- (void)stopRunning;
@property(readonly, getter=isRunning) BOOL running;
@end
@interface AVCaptureVideoPreviewLayer : CALayer
- (instancetype)initWithSession:(AVCaptureSession *)session;
@property(nullable, strong) AVCaptureSession *session;
@property(copy) AVLayerVideoGravity videoGravity;
@end
NS_ASSUME_NONNULL_END
