// The declarations of TYRZSDK's document that Swift cannot make: a class that Objective-C subclasses.
#ifndef TYRZ_SDK_TYPES_H
#define TYRZ_SDK_TYPES_H

#if defined(__APPLE__) && defined(__OBJC__)
#import <UIKit/UIKit.h>

/// The base class of an app's own authorization page (TYRZSDK's document, 2.4.3).
///
/// Show it like any view controller. When the person taps the login button, hand it to
/// `getAuthorizationWithAuthViewController:completion:`. It must be on the screen then. It must show the masked number
/// or the words 本机号码, a button that speaks of logging in or registering, and the carrier's terms.
@interface UAAuthViewController : UIViewController

/// Override to lay the page out. Called once, when the view has been loaded.
- (void)setupUI;

/// Seconds since 1970 when the page first appeared; zero while it has not.
@property (nonatomic, readonly) NSTimeInterval firstAppearance;

@end

/// The block that an authorization calls once, on the main thread, with its result. Because a call of TYRZSDK names
/// this type, its header brings the class along.
typedef void (__attribute__((swift_attr("@MainActor"))) ^UAAuthorizationBlock)(NSDictionary *_Nonnull sender);
#endif

#endif
