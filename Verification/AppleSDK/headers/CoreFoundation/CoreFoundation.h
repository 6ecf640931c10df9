#pragma once
#include <ObjectiveC/Attributes.h>

typedef const void *CFTypeRef;
typedef long CFIndex;
typedef unsigned long CFOptionFlags;
typedef double CFTimeInterval;
typedef const struct __attribute__((objc_bridge(NSString))) __CFString *CFStringRef;
typedef const struct __attribute__((objc_bridge(NSDictionary))) __CFDictionary *CFDictionaryRef;
typedef const struct __attribute__((objc_bridge(NSURL))) __CFURL *CFURLRef;
typedef const struct __attribute__((objc_bridge(NSData))) __CFData *CFDataRef;
typedef const struct __attribute__((objc_bridge(NSNumber))) __CFBoolean *CFBooleanRef;
typedef struct __attribute__((objc_bridge_mutable(NSError))) __CFError *CFErrorRef;
typedef const struct __attribute__((objc_bridge(id))) __CFAllocator *CFAllocatorRef;

// Nothing says that they are not null: Swift reads `CFBoolean!`.
extern const CFBooleanRef kCFBooleanTrue;
extern const CFBooleanRef kCFBooleanFalse;
