#pragma once
#import <UIKit/UIKit.h>

NS_ASSUME_NONNULL_BEGIN
API_AVAILABLE_IOS(4.0) NS_SWIFT_UI_ACTOR
@interface MFMessageComposeViewController : UINavigationController
+ (BOOL)canSendText;
@property(nullable, copy) NSArray<NSString *> *recipients;
@property(nullable, copy) NSString *body;
@end
NS_ASSUME_NONNULL_END
