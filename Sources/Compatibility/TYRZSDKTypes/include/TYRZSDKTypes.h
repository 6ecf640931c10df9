// What TYRZSDK's document declares and Swift cannot: a class that Objective-C subclasses.
#ifndef TYRZ_SDK_TYPES_H
#define TYRZ_SDK_TYPES_H

#if defined(__APPLE__) && defined(__OBJC__)
#import <UIKit/UIKit.h>

/// The base class of an app's own authorization page (TYRZSDK's document, 2.4.3).
///
/// Show it like any view controller, and hand it to `getAuthorizationWithAuthViewController:completion:` when the person
/// taps the login button. It must be on the screen then, and show the masked number or the words 本机号码, a button that
/// speaks of logging in or registering, and the carrier's terms.
@interface UAAuthViewController : UIViewController

/// Override to lay the page out. Called once, when the view has been loaded.
- (void)setupUI;

/// Seconds since 1970 when the page first appeared; zero while it has not.
@property (nonatomic, readonly) NSTimeInterval firstAppearance;

@end

/// What an authorization calls once, on the main thread, with its result. Because a call of TYRZSDK names this type, its
/// header brings the class along.
typedef void (__attribute__((swift_attr("@MainActor"))) ^UAAuthorizationBlock)(NSDictionary *_Nonnull sender);
#endif

#endif
