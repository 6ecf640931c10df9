#pragma once
#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN
typedef NS_OPTIONS(NSUInteger, CACornerMask) {
    kCALayerMinXMinYCorner = 1 << 0,
    kCALayerMaxXMinYCorner = 1 << 1,
    kCALayerMinXMaxYCorner = 1 << 2,
    kCALayerMaxXMaxYCorner = 1 << 3,
};

@class CAAnimation;
@protocol CAAnimationDelegate <NSObject>
@optional
- (void)animationDidStart:(CAAnimation *)animation;
- (void)animationDidStop:(CAAnimation *)animation finished:(BOOL)finished;
@end

@interface CAAnimation : NSObject <NSCopying>
@property CFTimeInterval duration;
@property float repeatCount;
@property BOOL autoreverses;
@property(getter=isRemovedOnCompletion) BOOL removedOnCompletion;
@property(nullable, strong) id<CAAnimationDelegate> delegate;
@end
@interface CAPropertyAnimation : CAAnimation
+ (instancetype)animationWithKeyPath:(nullable NSString *)path;
@property(nullable, copy) NSString *keyPath;
@end
@interface CABasicAnimation : CAPropertyAnimation
@property(nullable, strong) id fromValue, toValue;
@end
@interface CAKeyframeAnimation : CAPropertyAnimation
@property(nullable, copy) NSArray *values;
@end
@interface CATransition : CAAnimation
@end

@interface CALayer : NSObject
+ (instancetype)layer;
@property CGRect frame, bounds;
@property CGFloat cornerRadius, borderWidth;
@property float opacity;
@property BOOL masksToBounds;
@property(nullable) CGColorRef borderColor, backgroundColor;
@property CACornerMask maskedCorners API_AVAILABLE_IOS(11.0);
@property(nullable, strong) id contents;
@property(nullable, readonly) CALayer *superlayer;
@property(nullable, copy) NSArray<CALayer *> *sublayers;
- (void)addSublayer:(CALayer *)layer;
- (void)insertSublayer:(CALayer *)layer atIndex:(unsigned)index;
- (void)removeFromSuperlayer;
- (void)addAnimation:(CAAnimation *)animation forKey:(nullable NSString *)key NS_SWIFT_NAME(add(_:forKey:));
- (void)removeAnimationForKey:(NSString *)key;
- (void)removeAllAnimations;
- (nullable NSArray<NSString *> *)animationKeys;
@end

@interface CATransaction : NSObject
+ (void)begin;
+ (void)commit;
+ (void)setDisableActions:(BOOL)disabled;
+ (void)setCompletionBlock:(nullable void (^)(void))block;
@end
NS_ASSUME_NONNULL_END
