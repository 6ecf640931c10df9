#pragma once
#import <ObjectiveC/ObjectiveC.h>
#import <Darwin/Darwin.h>
#import <CoreFoundation/CoreFoundation.h>
#import <CoreGraphics/CoreGraphics.h>
#import <dispatch/dispatch.h>

NS_ASSUME_NONNULL_BEGIN
typedef double NSTimeInterval;
typedef struct _NSRange { NSUInteger location, length; } NSRange;
@class NSArray<__covariant Element>, NSData, NSDictionary<__covariant Key, __covariant Value>, NSString;

@protocol NSCopying
@end
@protocol NSMutableCopying
@end
@protocol NSFastEnumeration
@end
@class NSCoder;
@protocol NSCoding
- (nullable instancetype)initWithCoder:(NSCoder *)coder;
@end
@interface NSCoder : NSObject
@end

@interface NSObject (Description)
@property(readonly, copy) NSString *description;
- (id)copy;
- (id)mutableCopy;
@end

typedef NSUInteger NSStringEncoding;
NS_SWIFT_UNAVAILABLE("use String.Encoding")
enum { NSUTF8StringEncoding = 4 };

NS_SWIFT_BRIDGED(Swift.String)
@interface NSString : NSObject <NSCopying, NSMutableCopying>
+ (instancetype)stringWithFormat:(NSString *)format, ... NS_FORMAT_FUNCTION(1, 2);
- (nullable instancetype)initWithData:(NSData *)data encoding:(NSStringEncoding)encoding;
- (BOOL)isEqualToString:(NSString *)other;
- (NSString *)substringWithRange:(NSRange)range NS_SWIFT_NAME(substring(with:));
@property(readonly) NSUInteger length;
@end

@interface NSNumber : NSObject <NSCopying>
+ (NSNumber *)numberWithInt:(int)value;
+ (NSNumber *)numberWithInteger:(NSInteger)value;
+ (NSNumber *)numberWithUnsignedInteger:(NSUInteger)value;
+ (NSNumber *)numberWithBool:(BOOL)value;
+ (NSNumber *)numberWithDouble:(double)value;
- (instancetype)initWithInteger:(NSInteger)value NS_SWIFT_NAME(init(value:));
- (instancetype)initWithUnsignedInteger:(NSUInteger)value NS_SWIFT_NAME(init(value:));
- (instancetype)initWithDouble:(double)value NS_SWIFT_NAME(init(value:));
- (instancetype)initWithBool:(BOOL)value NS_SWIFT_NAME(init(value:));
- (BOOL)isEqualToNumber:(NSNumber *)other;
@property(readonly) NSInteger integerValue NS_SWIFT_NAME(intValue);
@property(readonly) NSUInteger unsignedIntegerValue NS_SWIFT_NAME(uintValue);
@property(readonly) int intValue NS_SWIFT_NAME(int32Value);
@property(readonly) float floatValue;
@property(readonly) double doubleValue;
@property(readonly) BOOL boolValue;
@end

NS_SWIFT_BRIDGED(Swift.Array)
@interface NSArray<__covariant Element> : NSObject <NSCopying, NSMutableCopying, NSFastEnumeration>
+ (instancetype)arrayWithObjects:(const Element _Nonnull[_Nullable])objects count:(NSUInteger)count;
@property(readonly) NSUInteger count;
@end

NS_SWIFT_BRIDGED(Swift.Dictionary)
@interface NSDictionary<__covariant Key, __covariant Value> : NSObject <NSCopying, NSMutableCopying, NSFastEnumeration>
+ (instancetype)dictionaryWithObjects:(const Value _Nonnull[_Nullable])objects
                              forKeys:(const Key<NSCopying> _Nonnull[_Nullable])keys
                                count:(NSUInteger)count;
+ (instancetype)dictionaryWithDictionary:(NSDictionary<Key, Value> *)other;
- (nullable Value)objectForKey:(Key)key;
- (nullable Value)objectForKeyedSubscript:(Key)key;
@property(readonly) NSUInteger count;
@end

@interface NSMutableDictionary<Key, Value> : NSDictionary <Key, Value>
- (instancetype)initWithObjectsAndKeys:(id)first, ... __attribute__((sentinel(0, 1)));
+ (instancetype)dictionary;
- (void)setObject:(nullable Value)object forKeyedSubscript:(Key<NSCopying>)key;
- (void)setValue:(nullable Value)value forKey:(NSString *)key;
@end

NS_SWIFT_BRIDGED(Swift.Set)
@interface NSSet<__covariant Element> : NSObject <NSCopying, NSMutableCopying, NSFastEnumeration>
@end

NS_SWIFT_BRIDGED(Data)
@interface NSData : NSObject <NSCopying>
@property(readonly) NSUInteger length;
@end

NS_SWIFT_BRIDGED(Date)
@interface NSDate : NSObject <NSCopying>
+ (instancetype)date;
@property(readonly) NSTimeInterval timeIntervalSince1970;
@end

typedef NSString *NSErrorUserInfoKey;
extern const NSErrorUserInfoKey NSLocalizedDescriptionKey;
NS_SWIFT_SENDABLE NS_SWIFT_BRIDGED(Swift.Error)
@interface NSError : NSObject <NSCopying>
- (instancetype)initWithDomain:(NSString *)domain
                          code:(NSInteger)code
                      userInfo:(nullable NSDictionary<NSErrorUserInfoKey, id> *)info NS_DESIGNATED_INITIALIZER;
@property(readonly, copy) NSDictionary<NSErrorUserInfoKey, id> *userInfo;
@property(readonly, copy) NSString *domain;
@property(readonly) NSInteger code;
@property(readonly, copy) NSString *localizedDescription;
@end

NS_SWIFT_BRIDGED(URL)
@interface NSURL : NSObject <NSCopying>
+ (nullable instancetype)URLWithString:(NSString *)string;
@end

typedef NS_ENUM(NSUInteger, NSURLRequestCachePolicy) {
    NSURLRequestUseProtocolCachePolicy
} NS_SWIFT_NAME(NSURLRequest.CachePolicy);
NS_SWIFT_BRIDGED(URLRequest)
@interface NSURLRequest : NSObject <NSCopying>
- (instancetype)initWithURL:(NSURL *)url;
- (instancetype)initWithURL:(NSURL *)url
                cachePolicy:(NSURLRequestCachePolicy)policy
            timeoutInterval:(NSTimeInterval)timeout;
@end

NS_SWIFT_SENDABLE NS_SWIFT_NAME(Bundle)
@interface NSBundle : NSObject
@property(class, readonly, strong) NSBundle *mainBundle NS_SWIFT_NAME(main);
@property(nullable, readonly, copy) NSString *bundleIdentifier;
@property(nullable, readonly, copy) NSDictionary<NSString *, id> *infoDictionary;
+ (NSBundle *)bundleForClass:(Class)aClass NS_SWIFT_NAME(init(for:));
- (nullable instancetype)initWithURL:(NSURL *)url;
- (nullable NSString *)pathForResource:(nullable NSString *)name ofType:(nullable NSString *)type;
- (nullable NSURL *)URLForResource:(nullable NSString *)name withExtension:(nullable NSString *)extension;
- (nullable id)objectForInfoDictionaryKey:(NSString *)key;
@end

@interface NSMutableURLRequest : NSURLRequest
@property(copy) NSString *HTTPMethod;
@property(nullable, copy) NSData *HTTPBody;
@end
NS_SWIFT_SENDABLE NS_SWIFT_NAME(URLResponse)
@interface NSURLResponse : NSObject <NSCopying>
@end
NS_SWIFT_SENDABLE NS_SWIFT_NAME(URLSessionTask)
@interface NSURLSessionTask : NSObject
- (void)resume;
@end
NS_SWIFT_SENDABLE NS_SWIFT_NAME(URLSessionDataTask)
@interface NSURLSessionDataTask : NSURLSessionTask
@end
NS_SWIFT_SENDABLE NS_SWIFT_NAME(URLSession)
@interface NSURLSession : NSObject
@property(class, readonly, strong) NSURLSession *sharedSession NS_SWIFT_NAME(shared);
- (NSURLSessionDataTask *)dataTaskWithRequest:(NSURLRequest *)request
                            completionHandler:(NS_SWIFT_SENDABLE void (^)(NSData *_Nullable data,
                                                                          NSURLResponse *_Nullable response,
                                                                          NSError *_Nullable error))completionHandler;
@end
typedef NS_OPTIONS(NSUInteger, NSJSONWritingOptions) {
    NSJSONWritingPrettyPrinted = 1 << 0,
} NS_SWIFT_NAME(JSONSerialization.WritingOptions);
NS_SWIFT_NAME(JSONSerialization)
@interface NSJSONSerialization : NSObject
+ (nullable NSData *)dataWithJSONObject:(id)object
                                options:(NSJSONWritingOptions)options
                                  error:(NSError *_Nullable *_Nullable)error;
@end

NS_SWIFT_NAME(Thread)
@interface NSThread : NSObject
@property(class, readonly) BOOL isMainThread;
@end

NS_SWIFT_SENDABLE
@interface NSLock : NSObject
- (void)lock;
- (void)unlock;
@end

typedef NSString *NSNotificationName NS_TYPED_EXTENSIBLE_ENUM NS_SWIFT_NAME(NSNotification.Name);
@interface NSNotification : NSObject <NSCopying>
@property(readonly, copy) NSNotificationName name;
@property(nullable, readonly, copy) NSDictionary *userInfo;
@end

NS_SWIFT_NAME(OperationQueue) NS_SWIFT_SENDABLE
@interface NSOperationQueue : NSObject
@property(class, readonly, strong) NSOperationQueue *mainQueue NS_SWIFT_NAME(main);
@end

NS_SWIFT_NAME(NotificationCenter) NS_SWIFT_SENDABLE
@interface NSNotificationCenter : NSObject
@property(class, readonly, strong) NSNotificationCenter *defaultCenter NS_SWIFT_NAME(default);
- (id<NSObject>)addObserverForName:(nullable NSNotificationName)name
                            object:(nullable id)object
                             queue:(nullable NSOperationQueue *)queue
                        usingBlock:(void (NS_SWIFT_SENDABLE ^)(NSNotification *notification))block
    NS_SWIFT_NAME(addObserver(forName:object:queue:using:));
- (void)removeObserver:(id)observer NS_SWIFT_NAME(removeObserver(_:));
@end

typedef NSString *NSAttributedStringKey NS_TYPED_EXTENSIBLE_ENUM NS_SWIFT_NAME(NSAttributedString.Key);
typedef NS_OPTIONS(NSUInteger, NSAttributedStringEnumerationOptions) {
    NSAttributedStringEnumerationReverse = 1 << 1,
} NS_SWIFT_NAME(NSAttributedString.EnumerationOptions);
@interface NSAttributedString : NSObject <NSCopying>
- (instancetype)initWithString:(NSString *)string;
- (instancetype)initWithString:(NSString *)string
                    attributes:(nullable NSDictionary<NSAttributedStringKey, id> *)attributes;
@property(readonly, copy) NSString *string;
@property(readonly) NSUInteger length;
- (void)enumerateAttribute:(NSAttributedStringKey)name
                   inRange:(NSRange)range
                   options:(NSAttributedStringEnumerationOptions)options
                usingBlock:(void (^NS_NOESCAPE)(id _Nullable value, NSRange range, bool *stop))block
    NS_SWIFT_NAME(enumerateAttribute(_:in:options:using:));
- (NSDictionary<NSAttributedStringKey, id> *)attributesAtIndex:(NSUInteger)location
                                                effectiveRange:(nullable NSRange *)range;
@end

@interface NSMutableAttributedString : NSAttributedString
- (void)appendAttributedString:(NSAttributedString *)string;
- (void)addAttribute:(NSAttributedStringKey)name value:(id)value range:(NSRange)range;
- (void)addAttributes:(NSDictionary<NSAttributedStringKey, id> *)attributes range:(NSRange)range;
@end

NS_SWIFT_UNAVAILABLE("use print") void NSLog(NSString *format, ...) NS_FORMAT_FUNCTION(1, 2);
NS_ASSUME_NONNULL_END
