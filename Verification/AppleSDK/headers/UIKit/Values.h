#pragma once
#import <UIKit/Choices.h>

NS_ASSUME_NONNULL_BEGIN
typedef struct UIEdgeInsets { CGFloat top, left, bottom, right; } UIEdgeInsets;
typedef uint64_t UIAccessibilityTraits __attribute__((swift_wrapper(struct)));
typedef NSString *UIContentSizeCategory NS_TYPED_ENUM;
extern const UIContentSizeCategory UIContentSizeCategoryUnspecified, UIContentSizeCategoryExtraSmall,
    UIContentSizeCategorySmall, UIContentSizeCategoryMedium, UIContentSizeCategoryLarge,
    UIContentSizeCategoryExtraLarge,
    UIContentSizeCategoryExtraExtraLarge, UIContentSizeCategoryExtraExtraExtraLarge,
    UIContentSizeCategoryAccessibilityMedium, UIContentSizeCategoryAccessibilityLarge,
    UIContentSizeCategoryAccessibilityExtraLarge, UIContentSizeCategoryAccessibilityExtraExtraLarge,
    UIContentSizeCategoryAccessibilityExtraExtraExtraLarge;

NS_SWIFT_SENDABLE
@interface UITraitCollection : NSObject <NSCopying>
+ (UITraitCollection *)traitCollectionWithUserInterfaceStyle:(UIUserInterfaceStyle)style API_AVAILABLE_IOS(12.0);
+ (UITraitCollection *)traitCollectionWithPreferredContentSizeCategory:(UIContentSizeCategory)category;
@property(readonly) UIUserInterfaceStyle userInterfaceStyle API_AVAILABLE_IOS(12.0);
@property(readonly) UIUserInterfaceSizeClass horizontalSizeClass, verticalSizeClass;
@property(readonly, copy) UIContentSizeCategory preferredContentSizeCategory;
- (BOOL)hasDifferentColorAppearanceComparedToTraitCollection:(nullable UITraitCollection *)other API_AVAILABLE_IOS(13.0)
    NS_SWIFT_NAME(hasDifferentColorAppearance(comparedTo:));
@end

NS_SWIFT_SENDABLE
@interface UIColor : NSObject <NSCopying>
- (instancetype)initWithRed:(CGFloat)red green:(CGFloat)green blue:(CGFloat)blue alpha:(CGFloat)alpha;
- (instancetype)initWithWhite:(CGFloat)white alpha:(CGFloat)alpha;
- (instancetype)initWithDynamicProvider:
    (__attribute__((swift_attr("@Sendable"))) UIColor * (^)(UITraitCollection *traits))provider API_AVAILABLE_IOS(13.0);
@property(class, readonly) UIColor *clearColor, *blackColor, *whiteColor, *grayColor, *redColor, *greenColor,
    *blueColor;
@property(class, readonly) UIColor *systemBackgroundColor API_AVAILABLE_IOS(13.0);
@property(readonly) CGColorRef CGColor;
- (UIColor *)colorWithAlphaComponent:(CGFloat)alpha;
- (UIColor *)resolvedColorWithTraitCollection:(UITraitCollection *)traits API_AVAILABLE_IOS(13.0);
- (BOOL)getRed:(nullable CGFloat *)red
         green:(nullable CGFloat *)green
          blue:(nullable CGFloat *)blue
         alpha:(nullable CGFloat *)alpha;
@end

typedef CGFloat UIFontWeight NS_TYPED_EXTENSIBLE_ENUM NS_SWIFT_NAME(UIFont.Weight);
extern const UIFontWeight UIFontWeightRegular, UIFontWeightMedium, UIFontWeightSemibold, UIFontWeightBold;

NS_SWIFT_SENDABLE
@interface UIFontDescriptor : NSObject <NSCopying>
@property(readonly) UIFontDescriptorSymbolicTraits symbolicTraits;
@end

NS_SWIFT_SENDABLE
@interface UIFont : NSObject <NSCopying>
+ (nullable UIFont *)fontWithName:(NSString *)fontName size:(CGFloat)fontSize;
+ (UIFont *)systemFontOfSize:(CGFloat)size;
+ (UIFont *)boldSystemFontOfSize:(CGFloat)size;
+ (UIFont *)systemFontOfSize:(CGFloat)size weight:(UIFontWeight)weight;
- (UIFont *)fontWithSize:(CGFloat)size NS_SWIFT_NAME(withSize(_:));
@property(readonly) CGFloat pointSize, lineHeight, ascender, descender, capHeight;
@property(readonly) NSString *fontName;
@property(readonly) UIFontDescriptor *fontDescriptor;
@end

NS_SWIFT_SENDABLE
@interface UIFontMetrics : NSObject
@property(class, readonly, strong) UIFontMetrics *defaultMetrics NS_SWIFT_NAME(default);
- (CGFloat)scaledValueForValue:(CGFloat)value NS_SWIFT_NAME(scaledValue(for:));
- (CGFloat)scaledValueForValue:(CGFloat)value
    compatibleWithTraitCollection:(nullable UITraitCollection *)traits NS_SWIFT_NAME(scaledValue(for:compatibleWith:));
@end

NS_SWIFT_SENDABLE
@interface UIImage : NSObject
+ (nullable UIImage *)imageNamed:(NSString *)name;
+ (nullable UIImage *)imageNamed:(NSString *)name
                        inBundle:(nullable NSBundle *)bundle
   compatibleWithTraitCollection:(nullable UITraitCollection *)traits NS_SWIFT_NAME(init(named:in:compatibleWith:));
+ (nullable UIImage *)systemImageNamed:(NSString *)name API_AVAILABLE_IOS(13.0) NS_SWIFT_NAME(init(systemName:));
- (nullable instancetype)initWithContentsOfFile:(NSString *)path;
- (nullable instancetype)initWithData:(NSData *)data;
- (instancetype)initWithCGImage:(CGImageRef)image;
- (UIImage *)imageWithRenderingMode:(UIImageRenderingMode)mode;
@property(readonly) CGSize size;
@property(readonly) CGFloat scale;
@property(readonly) UIImageRenderingMode renderingMode;
@end
NS_SWIFT_UNAVAILABLE("use jpegData(compressionQuality:)")
NSData *_Nullable UIImageJPEGRepresentation(UIImage *image, CGFloat quality);

NS_SWIFT_SENDABLE
@interface UIGraphicsImageRendererFormat : NSObject
@property CGFloat scale;
@property BOOL opaque;
@end
API_AVAILABLE_IOS(10.0)
@interface UIGraphicsImageRendererContext : NSObject
@end
API_AVAILABLE_IOS(10.0)
@interface UIGraphicsImageRenderer : NSObject
- (instancetype)initWithSize:(CGSize)size format:(UIGraphicsImageRendererFormat *)format;
- (UIImage *)imageWithActions:(void(NS_NOESCAPE ^)(UIGraphicsImageRendererContext *context))actions
    NS_SWIFT_NAME(image(actions:));
@end
@interface UIImage (Drawing)
- (void)drawInRect:(CGRect)rectangle NS_SWIFT_NAME(draw(in:));
@end
NS_ASSUME_NONNULL_END
