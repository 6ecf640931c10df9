#pragma once
#import <UIKit/Values.h>

NS_ASSUME_NONNULL_BEGIN
extern const NSAttributedStringKey NSFontAttributeName NS_SWIFT_NAME(font);
extern const NSAttributedStringKey NSForegroundColorAttributeName NS_SWIFT_NAME(foregroundColor);
extern const NSAttributedStringKey NSBackgroundColorAttributeName NS_SWIFT_NAME(backgroundColor);
extern const NSAttributedStringKey NSParagraphStyleAttributeName NS_SWIFT_NAME(paragraphStyle);
extern const NSAttributedStringKey NSKernAttributeName NS_SWIFT_NAME(kern);
extern const NSAttributedStringKey NSLigatureAttributeName NS_SWIFT_NAME(ligature);
extern const NSAttributedStringKey NSBaselineOffsetAttributeName NS_SWIFT_NAME(baselineOffset);
extern const NSAttributedStringKey NSUnderlineStyleAttributeName NS_SWIFT_NAME(underlineStyle);
extern const NSAttributedStringKey NSLinkAttributeName NS_SWIFT_NAME(link);

@interface NSParagraphStyle : NSObject <NSCopying, NSMutableCopying>
@property(readonly) NSTextAlignment alignment;
@property(readonly) CGFloat lineSpacing, minimumLineHeight, maximumLineHeight;
@property(readonly) NSLineBreakMode lineBreakMode;
@end
@interface NSMutableParagraphStyle : NSParagraphStyle
@property NSTextAlignment alignment;
@property CGFloat lineSpacing, minimumLineHeight, maximumLineHeight;
@property NSLineBreakMode lineBreakMode;
@end
@interface NSStringDrawingContext : NSObject
@end

@interface NSAttributedString (Drawing)
- (CGSize)size;
- (CGRect)boundingRectWithSize:(CGSize)size
                       options:(NSStringDrawingOptions)options
                       context:(nullable NSStringDrawingContext *)context;
@end
NS_ASSUME_NONNULL_END
