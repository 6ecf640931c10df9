#pragma once
#import <Foundation/Foundation.h>
#import <QuartzCore/QuartzCore.h>

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
NS_ASSUME_NONNULL_END
