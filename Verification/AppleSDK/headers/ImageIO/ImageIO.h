#pragma once
#import <Foundation/Foundation.h>

CF_ASSUME_NONNULL_BEGIN
extern const CFStringRef kCGImageAnimationStartIndex API_AVAILABLE_IOS(13.0);
extern const CFStringRef kCGImageAnimationDelayTime API_AVAILABLE_IOS(13.0);
extern const CFStringRef kCGImageAnimationLoopCount API_AVAILABLE_IOS(13.0);
typedef void (^CGImageSourceAnimationBlock)(size_t index, CGImageRef image, bool *stop);
OSStatus CGAnimateImageAtURLWithBlock(
    CFURLRef url, CFDictionaryRef _Nullable options, CGImageSourceAnimationBlock block) API_AVAILABLE_IOS(13.0);
CF_ASSUME_NONNULL_END
