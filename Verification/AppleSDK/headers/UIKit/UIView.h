#pragma once
#import <UIKit/Text.h>

NS_ASSUME_NONNULL_BEGIN
@class UIGestureRecognizer, UIWindow;

NS_SWIFT_UI_ACTOR
@interface UIResponder : NSObject
@property(nullable, readonly) UIResponder *nextResponder;
@property(readonly) BOOL isFirstResponder;
- (BOOL)becomeFirstResponder;
- (BOOL)resignFirstResponder;
@end
extern const NSNotificationName UIKeyboardWillChangeFrameNotification
    NS_SWIFT_NAME(UIResponder.keyboardWillChangeFrameNotification) NS_SWIFT_NONISOLATED;
extern NSString *const UIKeyboardFrameEndUserInfoKey
    NS_SWIFT_NAME(UIResponder.keyboardFrameEndUserInfoKey) NS_SWIFT_NONISOLATED;
NS_SWIFT_UI_ACTOR
@interface UIEvent : NSObject
@end

@interface NSObject (Accessibility)
@property BOOL isAccessibilityElement NS_SWIFT_UI_ACTOR;
@property(nullable, copy) NSString *accessibilityLabel NS_SWIFT_UI_ACTOR;
@property(nullable, copy) NSString *accessibilityHint NS_SWIFT_UI_ACTOR;
@property(nullable, copy) NSString *accessibilityValue NS_SWIFT_UI_ACTOR;
@property UIAccessibilityTraits accessibilityTraits NS_SWIFT_UI_ACTOR;
@property CGRect accessibilityFrame NS_SWIFT_UI_ACTOR;
@property(nullable, strong) NSArray *accessibilityElements NS_SWIFT_UI_ACTOR;
@property BOOL accessibilityElementsHidden NS_SWIFT_UI_ACTOR;
@property BOOL accessibilityViewIsModal NS_SWIFT_UI_ACTOR;
@property BOOL shouldGroupAccessibilityChildren NS_SWIFT_UI_ACTOR;
- (BOOL)accessibilityActivate NS_SWIFT_UI_ACTOR;
- (BOOL)accessibilityPerformEscape NS_SWIFT_UI_ACTOR;
@end

NS_SWIFT_UI_ACTOR
@protocol UIAccessibilityIdentification <NSObject>
@property(nullable, copy) NSString *accessibilityIdentifier;
@end

NS_SWIFT_UI_ACTOR
@interface UIAccessibilityElement : UIResponder <UIAccessibilityIdentification>
- (instancetype)initWithAccessibilityContainer:(id)container;
@property(nullable, weak) id accessibilityContainer;
@property CGRect accessibilityFrameInContainerSpace;
@end

NS_SWIFT_UI_ACTOR
@protocol UITraitEnvironment <NSObject>
@property(readonly) UITraitCollection *traitCollection;
- (void)traitCollectionDidChange:(nullable UITraitCollection *)previousTraitCollection API_DEPRECATED_IOS(8.0, 17.0);
@end

API_AVAILABLE_IOS(17.0) NS_SWIFT_UI_ACTOR
@protocol UITraitOverrides
@end

API_AVAILABLE_IOS(8.0) NS_SWIFT_UI_ACTOR
@protocol UICoordinateSpace <NSObject>
@property(readonly) CGRect bounds API_AVAILABLE_IOS(8.0);
@end

NS_SWIFT_UI_ACTOR
@interface UIView : UIResponder <NSCoding, UIAccessibilityIdentification, UITraitEnvironment, UICoordinateSpace>
- (instancetype)initWithFrame:(CGRect)frame NS_DESIGNATED_INITIALIZER;
- (nullable instancetype)initWithCoder:(NSCoder *)coder NS_DESIGNATED_INITIALIZER;
@property(class, readonly) Class layerClass;
@property(readonly, strong) CALayer *layer;
@property CGRect frame, bounds;
@property CGPoint center;
@property CGAffineTransform transform;
@property(readonly) UIEdgeInsets safeAreaInsets API_AVAILABLE_IOS(11.0);
- (void)safeAreaInsetsDidChange API_AVAILABLE_IOS(11.0);
- (CGPoint)convertPoint:(CGPoint)point toView:(nullable UIView *)view;
- (CGRect)convertRect:(CGRect)rectangle toView:(nullable UIView *)view;
- (CGPoint)convertPoint:(CGPoint)point fromView:(nullable UIView *)view;
- (CGRect)convertRect:(CGRect)rectangle fromView:(nullable UIView *)view;

@property(nullable, copy) UIColor *backgroundColor;
@property(null_resettable, strong) UIColor *tintColor;
@property CGFloat alpha;
@property(getter=isHidden) BOOL hidden;
@property(getter=isOpaque) BOOL opaque;
@property BOOL clipsToBounds;
@property UIViewContentMode contentMode;
@property(nullable, strong) UIView *maskView;
@property NSInteger tag;
@property UIUserInterfaceStyle overrideUserInterfaceStyle API_AVAILABLE_IOS(13.0);
@property(readonly) id<UITraitOverrides> traitOverrides API_AVAILABLE_IOS(17.0);

@property UIViewAutoresizing autoresizingMask;
@property BOOL autoresizesSubviews, translatesAutoresizingMaskIntoConstraints;
@property(readonly) CGSize intrinsicContentSize;
- (void)invalidateIntrinsicContentSize;
- (CGSize)sizeThatFits:(CGSize)size;
- (void)sizeToFit;
- (BOOL)endEditing:(BOOL)force;
- (void)setNeedsLayout;
- (void)setNeedsDisplay;
- (void)layoutIfNeeded;
- (void)layoutSubviews;

@property(nullable, readonly) UIView *superview;
@property(readonly, copy) NSArray<UIView *> *subviews;
@property(nullable, readonly) UIWindow *window;
- (void)addSubview:(UIView *)view;
- (void)insertSubview:(UIView *)view atIndex:(NSInteger)index;
- (void)insertSubview:(UIView *)view belowSubview:(UIView *)other;
- (void)insertSubview:(UIView *)view aboveSubview:(UIView *)other;
- (void)removeFromSuperview;
- (void)bringSubviewToFront:(UIView *)view NS_SWIFT_NAME(bringSubviewToFront(_:));
- (void)sendSubviewToBack:(UIView *)view NS_SWIFT_NAME(sendSubviewToBack(_:));
- (void)willMoveToSuperview:(nullable UIView *)superview;
- (void)didMoveToSuperview;
- (void)didMoveToWindow;
- (BOOL)isDescendantOfView:(UIView *)view;
- (nullable UIView *)viewWithTag:(NSInteger)tag NS_SWIFT_NAME(viewWithTag(_:));

@property(getter=isUserInteractionEnabled) BOOL userInteractionEnabled;
@property(getter=isMultipleTouchEnabled) BOOL multipleTouchEnabled;
@property(getter=isExclusiveTouch) BOOL exclusiveTouch;
@property(nullable, copy) NSArray<UIGestureRecognizer *> *gestureRecognizers;
- (void)addGestureRecognizer:(UIGestureRecognizer *)recognizer;
- (nullable UIView *)hitTest:(CGPoint)point withEvent:(nullable UIEvent *)event;
- (BOOL)pointInside:(CGPoint)point withEvent:(nullable UIEvent *)event;

+ (void)animateWithDuration:(NSTimeInterval)duration animations:(void (^)(void))animations;
+ (void)animateWithDuration:(NSTimeInterval)duration
                 animations:(void (^)(void))animations
                 completion:(void (^_Nullable)(BOOL finished))completion;
+ (void)animateWithDuration:(NSTimeInterval)duration
                      delay:(NSTimeInterval)delay
                    options:(UIViewAnimationOptions)options
                 animations:(void (^)(void))animations
                 completion:(void (^_Nullable)(BOOL finished))completion;
+ (void)performWithoutAnimation:(void (^NS_NOESCAPE)(void))actions;
@end

NS_SWIFT_UI_ACTOR
@protocol UIGestureRecognizerDelegate <NSObject>
@optional
- (BOOL)gestureRecognizerShouldBegin:(UIGestureRecognizer *)recognizer;
@end
NS_SWIFT_UI_ACTOR
@interface UIGestureRecognizer : NSObject
@property(nullable, weak) id<UIGestureRecognizerDelegate> delegate;
- (instancetype)initWithTarget:(nullable id)target action:(nullable SEL)action;
@property(getter=isEnabled) BOOL enabled;
@end
NS_SWIFT_UI_ACTOR
@interface UITapGestureRecognizer : UIGestureRecognizer
@property NSUInteger numberOfTapsRequired;
@end
NS_ASSUME_NONNULL_END
