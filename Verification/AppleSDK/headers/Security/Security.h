#pragma once
#import <Foundation/Foundation.h>

CF_ASSUME_NONNULL_BEGIN
typedef struct __attribute__((objc_bridge(id))) __SecAccessControl *SecAccessControlRef;

extern const CFStringRef kSecClass, kSecClassGenericPassword, kSecAttrService, kSecAttrAccount, kSecValueData;
extern const CFStringRef kSecAttrAccessible, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly;
extern const CFStringRef kSecReturnData, kSecMatchLimit, kSecMatchLimitOne;

enum : OSStatus {
    errSecSuccess = 0,
    errSecDuplicateItem = -25299,
    errSecItemNotFound = -25300,
    errSecInteractionNotAllowed = -25308,
};

typedef NS_OPTIONS(CFOptionFlags, SecAccessControlCreateFlags) {
    kSecAccessControlUserPresence = 1,
    kSecAccessControlPrivateKeyUsage API_AVAILABLE_IOS(9.0) = 1 << 30,
};

OSStatus SecItemAdd(CFDictionaryRef attributes, CFTypeRef *_Nullable __attribute__((cf_returns_retained)) result);
OSStatus SecItemCopyMatching(CFDictionaryRef query, CFTypeRef *_Nullable __attribute__((cf_returns_retained)) result);
OSStatus SecItemDelete(CFDictionaryRef query);
__attribute__((cf_returns_retained)) SecAccessControlRef _Nullable SecAccessControlCreateWithFlags(
    CFAllocatorRef _Nullable allocator, CFTypeRef protection, SecAccessControlCreateFlags flags,
    CFErrorRef _Nullable *_Nullable error);

typedef NS_ENUM(unsigned short, tls_protocol_version_t) {
    tls_protocol_version_TLSv12 NS_SWIFT_NAME(TLSv12) = 0x0303,
    tls_protocol_version_TLSv13 NS_SWIFT_NAME(TLSv13) = 0x0304,
};

#ifdef __OBJC__
@protocol OS_sec_protocol_options <NSObject>
@end
typedef NSObject<OS_sec_protocol_options> *sec_protocol_options_t;
void sec_protocol_options_set_min_tls_protocol_version(sec_protocol_options_t options, tls_protocol_version_t version)
    API_AVAILABLE_IOS(13.0);
#endif
CF_ASSUME_NONNULL_END
