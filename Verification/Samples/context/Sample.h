// The declarations that the samples expect of the app around them.
@import Foundation;
@import UIKit;

#define APPID @"300000000001"
#define APPKEY @"key"
#define SUCCESSCODE @"103000"
#define CLIENTSUCCESSCODECLIENT @"103000"

@interface SampleApp : NSObject
@end

@interface SampleScreen : UIViewController
@property(strong) UIView *waitBGV;
@property(strong) UIActivityIndicatorView *waitAV;
@property(strong) UILabel *securityPhoneLable;
@property(copy) NSString *token;
- (void)showInfo:(NSDictionary *)info;
- (void)clicked:(id)sender;
@end
