#pragma once
#import <CoreVideo/CoreVideo.h>

NS_ASSUME_NONNULL_BEGIN
typedef NSString *CIImageRepresentationOption NS_TYPED_EXTENSIBLE_ENUM;
NS_SWIFT_SENDABLE
@interface CIImage : NSObject <NSCopying>
- (instancetype)initWithCVPixelBuffer:(CVPixelBufferRef)buffer API_AVAILABLE_IOS(5.0);
@end
NS_SWIFT_SENDABLE
@interface CIContext : NSObject
- (nullable NSData *)JPEGRepresentationOfImage:(CIImage *)image
                                    colorSpace:(CGColorSpaceRef)space
                                       options:(NSDictionary<CIImageRepresentationOption, id> *)options
    API_AVAILABLE_IOS(10.0) NS_SWIFT_NAME(jpegRepresentation(of:colorSpace:options:));
@end
NS_ASSUME_NONNULL_END
