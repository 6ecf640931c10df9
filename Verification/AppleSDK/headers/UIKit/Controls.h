#pragma once
#import <UIKit/UIView.h>

NS_ASSUME_NONNULL_BEGIN
#define IBAction void
#define IBOutlet
typedef NSString *UIActionIdentifier NS_TYPED_EXTENSIBLE_ENUM NS_SWIFT_NAME(UIAction.Identifier);
API_AVAILABLE_IOS(13.0) NS_SWIFT_UI_ACTOR
@interface UIMenuElement : NSObject
@property(readonly) NSString *title;
@property(nullable, readonly) UIImage *image;
@end
API_AVAILABLE_IOS(13.0) NS_SWIFT_UI_ACTOR
@interface UIMenu : UIMenuElement
@end
API_AVAILABLE_IOS(13.0) NS_SWIFT_UI_ACTOR
@interface UIAction : UIMenuElement
@property(nullable, readonly) id sender API_AVAILABLE_IOS(14.0);
@end

NS_SWIFT_UI_ACTOR
@interface UIControl : UIView
@property(getter=isEnabled) BOOL enabled;
@property(getter=isSelected) BOOL selected;
@property(getter=isHighlighted) BOOL highlighted;
@property(readonly) UIControlState state;
- (void)addTarget:(nullable id)target
              action:(SEL)action
    forControlEvents:(UIControlEvents)events NS_SWIFT_NAME(addTarget(_:action:for:));
- (void)addAction:(UIAction *)action forControlEvents:(UIControlEvents)events API_AVAILABLE_IOS(14.0)
    NS_SWIFT_NAME(addAction(_:for:));
- (void)removeAction:(UIAction *)action forControlEvents:(UIControlEvents)events API_AVAILABLE_IOS(14.0)
    NS_SWIFT_NAME(removeAction(_:for:));
- (void)sendActionsForControlEvents:(UIControlEvents)events NS_SWIFT_NAME(sendActions(for:));
@end

NS_SWIFT_UI_ACTOR
@interface UILabel : UIView
@property(nullable, copy) NSString *text;
@property(nullable, copy) NSAttributedString *attributedText;
@property(null_resettable, strong) UIFont *font;
@property(null_resettable, strong) UIColor *textColor;
@property NSTextAlignment textAlignment;
@property NSLineBreakMode lineBreakMode;
@property NSInteger numberOfLines;
@property BOOL adjustsFontSizeToFitWidth, adjustsFontForContentSizeCategory;
@end

NS_SWIFT_UI_ACTOR
@interface UIImageView : UIView
- (instancetype)initWithImage:(nullable UIImage *)image;
@property(nullable, strong) UIImage *image;
@property(nullable, copy) NSArray<UIImage *> *animationImages;
@property(getter=isHighlighted) BOOL highlighted;
@end

NS_SWIFT_UI_ACTOR
@interface UIButton : UIControl
+ (instancetype)buttonWithType:(UIButtonType)type;
@property(nullable, readonly, strong) UILabel *titleLabel;
@property(nullable, readonly, strong) UIImageView *imageView;
- (void)setTitle:(nullable NSString *)title forState:(UIControlState)state;
- (void)setAttributedTitle:(nullable NSAttributedString *)title forState:(UIControlState)state;
- (void)setTitleColor:(nullable UIColor *)color forState:(UIControlState)state;
- (void)setImage:(nullable UIImage *)image forState:(UIControlState)state;
- (void)setBackgroundImage:(nullable UIImage *)image forState:(UIControlState)state;
- (nullable NSString *)titleForState:(UIControlState)state;
- (nullable UIImage *)imageForState:(UIControlState)state;
- (nullable UIImage *)backgroundImageForState:(UIControlState)state;
@property(nullable, readonly) NSString *currentTitle;
@property(readonly) UIColor *currentTitleColor;
@property(nullable, readonly) NSAttributedString *currentAttributedTitle;
@property(nullable, readonly) UIImage *currentImage, *currentBackgroundImage;
@end

NS_SWIFT_UI_ACTOR
@interface UIActivityIndicatorView : UIView
- (instancetype)initWithActivityIndicatorStyle:(UIActivityIndicatorViewStyle)style NS_DESIGNATED_INITIALIZER
    NS_SWIFT_NAME(init(style:));
- (instancetype)initWithFrame:(CGRect)frame NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithCoder:(NSCoder *)coder NS_DESIGNATED_INITIALIZER;
@property UIActivityIndicatorViewStyle activityIndicatorViewStyle NS_SWIFT_NAME(style);
@property(null_resettable, strong) UIColor *color;
@property BOOL hidesWhenStopped;
@property(readonly, getter=isAnimating) BOOL animating;
- (void)startAnimating;
- (void)stopAnimating;
@end

NS_SWIFT_UI_ACTOR
@interface UIScrollView : UIView
@property CGSize contentSize;
@property CGPoint contentOffset;
@property(getter=isScrollEnabled) BOOL scrollEnabled;
@end

NS_SWIFT_UI_ACTOR
@interface UITextView : UIScrollView
@property(null_resettable, copy) NSString *text;
@property(null_resettable, copy) NSAttributedString *attributedText;
@property(nullable, strong) UIFont *font;
@property(nullable, strong) UIColor *textColor;
@property(getter=isEditable) BOOL editable;
@property(getter=isSelectable) BOOL selectable;
@property(null_resettable, copy) NSDictionary<NSAttributedStringKey, id> *linkTextAttributes;
@end

NS_SWIFT_UI_ACTOR
@interface UITextField : UIControl
@property(nullable, copy) NSString *text, *placeholder;
@property(nullable, copy) NSAttributedString *attributedPlaceholder;
@property UIKeyboardType keyboardType;
@property(null_unspecified, copy) UITextContentType textContentType;
@property(nullable, strong) UIFont *font;
@property(nullable, strong) UIColor *textColor;
@property NSTextAlignment textAlignment;
@property UITextBorderStyle borderStyle;
@property BOOL adjustsFontForContentSizeCategory;
@end

NS_SWIFT_UI_ACTOR
@interface UIStackView : UIView
@property(readonly, copy) NSArray<UIView *> *arrangedSubviews;
- (void)addArrangedSubview:(UIView *)view;
@end
NS_ASSUME_NONNULL_END
