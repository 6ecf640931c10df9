#pragma once
#include <ObjectiveC/Attributes.h>

typedef _Bool BOOL;
typedef long NSInteger;
typedef unsigned long NSUInteger;

#ifdef __OBJC__
#define YES ((BOOL)1)
#define NO ((BOOL)0)
#define nil ((void *)0)

NS_ASSUME_NONNULL_BEGIN
@protocol NSObject
- (BOOL)isEqual:(nullable id)object;
- (BOOL)isKindOfClass:(Class)type;
- (BOOL)respondsToSelector:(SEL)selector;
@property(readonly) NSUInteger hash;
@end

__attribute__((objc_root_class))
@interface NSObject <NSObject>
+ (instancetype)alloc NS_SWIFT_UNAVAILABLE("Swift allocates by itself");
+ (instancetype)new NS_SWIFT_UNAVAILABLE("use an initialiser");
- (instancetype)init NS_DESIGNATED_INITIALIZER;
+ (Class)class NS_SWIFT_UNAVAILABLE("use self");
@end
NS_ASSUME_NONNULL_END
#endif
