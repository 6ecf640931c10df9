#pragma once
// The words in which the other headers say what Swift and the compiler must know of a declaration.

#define NS_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define NS_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")
#define CF_ASSUME_NONNULL_BEGIN NS_ASSUME_NONNULL_BEGIN
#define CF_ASSUME_NONNULL_END NS_ASSUME_NONNULL_END

#define API_AVAILABLE_IOS(version) __attribute__((availability(ios, introduced = version)))
#define API_DEPRECATED_IOS(from, to) __attribute__((availability(ios, introduced = from, deprecated = to)))

#define NS_ENUM(type, name) \
    enum __attribute__((enum_extensibility(open))) name : type name; \
    enum name : type
#define NS_CLOSED_ENUM(type, name) \
    enum name : type; \
    typedef enum name name; \
    enum __attribute__((enum_extensibility(closed))) name : type
#define NS_OPTIONS(type, name) \
    enum name : type; \
    typedef enum name name; \
    enum __attribute__((flag_enum, enum_extensibility(open))) name : type
#define NS_TYPED_ENUM __attribute__((swift_wrapper(enum)))
#define NS_TYPED_EXTENSIBLE_ENUM __attribute__((swift_wrapper(struct)))

#define NS_DESIGNATED_INITIALIZER __attribute__((objc_designated_initializer))
#define NS_NOESCAPE __attribute__((noescape))
#define NS_REQUIRES_SUPER __attribute__((objc_requires_super))
#define NS_REFINED_FOR_SWIFT __attribute__((swift_private))
#define NS_SWIFT_BRIDGED(type) __attribute__((swift_bridge(#type)))
#define NS_SWIFT_DISCARDABLE __attribute__((swift_attr("discardableResult")))
#define NS_SWIFT_NAME(name) __attribute__((swift_name(#name)))
#define NS_SWIFT_NONISOLATED __attribute__((swift_attr("nonisolated")))
#define NS_SWIFT_SENDABLE __attribute__((swift_attr("@Sendable")))
#define NS_SWIFT_NONSENDABLE __attribute__((swift_attr("@_nonSendable")))
#define NS_SWIFT_UI_ACTOR __attribute__((swift_attr("@MainActor")))
#define NS_SWIFT_UNAVAILABLE(words) __attribute__((availability(swift, unavailable, message = words)))
#define NS_FORMAT_FUNCTION(words, first) __attribute__((format(__NSString__, words, first)))
