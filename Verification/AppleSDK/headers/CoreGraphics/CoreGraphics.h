#pragma once
#include <CoreFoundation/CoreFoundation.h>

typedef double CGFloat;
typedef struct CGPoint { CGFloat x, y; } CGPoint;
typedef struct CGSize { CGFloat width, height; } CGSize;
typedef struct CGRect { CGPoint origin; CGSize size; } CGRect;
typedef struct CGAffineTransform { CGFloat a, b, c, d, tx, ty; } CGAffineTransform;

typedef struct __attribute__((objc_bridge(id))) CGImage *CGImageRef;
typedef struct __attribute__((objc_bridge(id))) CGColor *CGColorRef;
typedef const struct __attribute__((objc_bridge(id))) CGPath *CGPathRef;
typedef struct __attribute__((objc_bridge(id))) CGColorSpace *CGColorSpaceRef;
__attribute__((cf_returns_retained)) CGColorSpaceRef _Nonnull CGColorSpaceCreateDeviceRGB(void);

NS_SWIFT_UNAVAILABLE("use CGRect.init")
static inline CGRect CGRectMake(CGFloat x, CGFloat y, CGFloat width, CGFloat height) {
    return (CGRect){{x, y}, {width, height}};
}

NS_SWIFT_UNAVAILABLE("use CGSize.init")
static inline CGSize CGSizeMake(CGFloat width, CGFloat height) { return (CGSize){width, height}; }
