#pragma once
#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN
API_AVAILABLE_IOS(4.0)
@interface CTTelephonyNetworkInfo : NSObject
@property (readonly, retain, nullable) NSString *dataServiceIdentifier API_AVAILABLE_IOS(13.0);
@property (readonly, retain, nullable) NSDictionary<NSString *, NSString *> *serviceCurrentRadioAccessTechnology
    API_AVAILABLE_IOS(12.0);
@end

extern NSString *const CTRadioAccessTechnologyGPRS API_AVAILABLE_IOS(7.0);
extern NSString *const CTRadioAccessTechnologyEdge API_AVAILABLE_IOS(7.0);
extern NSString *const CTRadioAccessTechnologyWCDMA API_AVAILABLE_IOS(7.0);
extern NSString *const CTRadioAccessTechnologyHSDPA API_AVAILABLE_IOS(7.0);
extern NSString *const CTRadioAccessTechnologyHSUPA API_AVAILABLE_IOS(7.0);
extern NSString *const CTRadioAccessTechnologyCDMA1x API_AVAILABLE_IOS(7.0);
extern NSString *const CTRadioAccessTechnologyCDMAEVDORev0 API_AVAILABLE_IOS(7.0);
extern NSString *const CTRadioAccessTechnologyCDMAEVDORevA API_AVAILABLE_IOS(7.0);
extern NSString *const CTRadioAccessTechnologyCDMAEVDORevB API_AVAILABLE_IOS(7.0);
extern NSString *const CTRadioAccessTechnologyeHRPD API_AVAILABLE_IOS(7.0);
extern NSString *const CTRadioAccessTechnologyLTE API_AVAILABLE_IOS(7.0);
extern NSString *const CTRadioAccessTechnologyNRNSA API_AVAILABLE_IOS(14.1);
extern NSString *const CTRadioAccessTechnologyNR API_AVAILABLE_IOS(14.1);
NS_ASSUME_NONNULL_END
