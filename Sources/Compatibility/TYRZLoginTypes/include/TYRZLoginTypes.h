// The type of a block in TYRZLogin's document. Swift cannot declare it for Objective-C, so it is here.
#ifndef TYRZ_LOGIN_TYPES_H
#define TYRZ_LOGIN_TYPES_H

#if defined(__OBJC__)
#import <Foundation/Foundation.h>

/// Is called once, on the main thread, with a dictionary.
typedef void (__attribute__((swift_attr("@MainActor"))) ^UAFinishBlock)(id _Nonnull sender);
#endif

#endif
