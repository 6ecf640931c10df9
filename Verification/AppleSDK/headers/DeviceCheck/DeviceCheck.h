#pragma once
#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN
// DCError is an enumeration of errors, whose Swift is in the interface.
API_AVAILABLE_IOS(14.0)
@interface DCAppAttestService : NSObject
@property (class, readonly) DCAppAttestService *sharedService NS_SWIFT_NAME(shared);
@property (readonly, getter=isSupported) BOOL supported;
- (void)generateKeyWithCompletionHandler:
    (void (^)(NSString *_Nullable keyId, NSError *_Nullable error))completionHandler;
- (void)attestKey:(NSString *)keyId
       clientDataHash:(NSData *)clientDataHash
    completionHandler:(void (^)(NSData *_Nullable attestationObject, NSError *_Nullable error))completionHandler;
- (void)generateAssertion:(NSString *)keyId
           clientDataHash:(NSData *)clientDataHash
        completionHandler:(void (^)(NSData *_Nullable assertionObject, NSError *_Nullable error))completionHandler;
@end
NS_ASSUME_NONNULL_END
