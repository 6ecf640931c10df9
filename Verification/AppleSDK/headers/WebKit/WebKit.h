#pragma once
#import <UIKit/UIKit.h>

NS_ASSUME_NONNULL_BEGIN
typedef NS_ENUM(NSInteger, WKNavigationActionPolicy) { WKNavigationActionPolicyCancel, WKNavigationActionPolicyAllow };
@class WKWebView;

NS_SWIFT_UI_ACTOR
@interface WKWebsiteDataStore : NSObject
+ (WKWebsiteDataStore *)defaultDataStore NS_SWIFT_NAME(default());
+ (WKWebsiteDataStore *)nonPersistentDataStore NS_SWIFT_NAME(nonPersistent());
@end
API_AVAILABLE_IOS(13.0) NS_SWIFT_UI_ACTOR
@interface WKWebpagePreferences : NSObject
@property BOOL allowsContentJavaScript API_AVAILABLE_IOS(14.0);
@end
NS_SWIFT_UI_ACTOR
@interface WKWebViewConfiguration : NSObject
@property(strong) WKWebsiteDataStore *websiteDataStore;
@property(null_resettable, copy) WKWebpagePreferences *defaultWebpagePreferences API_AVAILABLE_IOS(13.0);
@end
NS_SWIFT_UI_ACTOR
@interface WKNavigation : NSObject
@end
NS_SWIFT_UI_ACTOR
@interface WKNavigationAction : NSObject
@property(readonly, copy) NSURLRequest *request;
@end

NS_SWIFT_UI_ACTOR
@protocol WKNavigationDelegate <NSObject>
@optional
- (void)webView:(WKWebView *)webView
    decidePolicyForNavigationAction:(WKNavigationAction *)action
                    decisionHandler:(void (NS_SWIFT_UI_ACTOR NS_SWIFT_SENDABLE ^)(WKNavigationActionPolicy))handler;
- (void)webView:(WKWebView *)webView didFinishNavigation:(null_unspecified WKNavigation *)navigation;
- (void)webView:(WKWebView *)webView
    didFailProvisionalNavigation:(null_unspecified WKNavigation *)navigation
                       withError:(NSError *)error;
@end

NS_SWIFT_UI_ACTOR
@interface WKWebView : UIView
- (instancetype)initWithFrame:(CGRect)frame
                configuration:(WKWebViewConfiguration *)configuration NS_DESIGNATED_INITIALIZER;
- (nullable instancetype)initWithCoder:(NSCoder *)coder NS_DESIGNATED_INITIALIZER;
@property(nullable, weak) id<WKNavigationDelegate> navigationDelegate;
@property(readonly, copy) WKWebViewConfiguration *configuration;
@property BOOL allowsLinkPreview, allowsBackForwardNavigationGestures;
@property(readonly, getter=isLoading) BOOL loading;
- (nullable WKNavigation *)loadRequest:(NSURLRequest *)request NS_SWIFT_DISCARDABLE;
- (void)stopLoading;
@end
NS_ASSUME_NONNULL_END
