#pragma once
#import <UIKit/Controls.h>

NS_ASSUME_NONNULL_BEGIN
@class UINavigationController, UIPresentationController, UIViewController;

NS_SWIFT_UI_ACTOR
@protocol UIViewControllerTransitionCoordinatorContext <NSObject>
@property(readonly, getter=isAnimated) BOOL animated;
@end
NS_SWIFT_UI_ACTOR
@protocol UIViewControllerTransitionCoordinator <UIViewControllerTransitionCoordinatorContext>
- (BOOL)animateAlongsideTransition:
            (void (^_Nullable)(id<UIViewControllerTransitionCoordinatorContext> context))animation
                        completion:
                            (void (^_Nullable)(id<UIViewControllerTransitionCoordinatorContext> context))completion
    NS_SWIFT_DISCARDABLE;
@end

NS_SWIFT_UI_ACTOR
@protocol UIAdaptivePresentationControllerDelegate <NSObject>
@optional
- (BOOL)presentationControllerShouldDismiss:(UIPresentationController *)controller API_AVAILABLE_IOS(13.0);
- (void)presentationControllerDidDismiss:(UIPresentationController *)controller API_AVAILABLE_IOS(13.0);
@end
NS_SWIFT_UI_ACTOR
@interface UIPresentationController : NSObject
@property(readonly, strong) UIViewController *presentedViewController NS_SWIFT_NAME(presentedViewController);
@property(nullable, weak) id<UIAdaptivePresentationControllerDelegate> delegate;
@end

NS_SWIFT_UI_ACTOR
@interface UIBarButtonItem : NSObject
- (instancetype)initWithCustomView:(UIView *)view;
@property(nullable, copy) NSString *title;
@property(nullable, strong) UIImage *image;
@property(nullable, strong) UIView *customView;
@property(nullable, copy) UIAction *primaryAction API_AVAILABLE_IOS(14.0);
@end
NS_SWIFT_UI_ACTOR
@interface UINavigationItem : NSObject
@property(nullable, copy) NSString *title;
@property(nullable, strong) UIView *titleView;
@property(nullable, strong) UIBarButtonItem *leftBarButtonItem, *rightBarButtonItem;
@property BOOL hidesBackButton;
@end

NS_SWIFT_UI_ACTOR
@interface UIViewController : UIResponder <NSCoding, UITraitEnvironment>
- (instancetype)initWithNibName:(nullable NSString *)name bundle:(nullable NSBundle *)bundle NS_DESIGNATED_INITIALIZER;
- (nullable instancetype)initWithCoder:(NSCoder *)coder NS_DESIGNATED_INITIALIZER;
@property(null_resettable, strong) UIView *view;
@property(nullable, readonly, strong) UIView *viewIfLoaded;
@property(readonly, getter=isViewLoaded) BOOL viewLoaded;
@property(nullable, copy) NSString *title;
- (void)loadView;
- (void)loadViewIfNeeded;
- (void)viewDidLoad;
- (void)viewWillAppear:(BOOL)animated;
- (void)viewDidAppear:(BOOL)animated;
- (void)viewWillDisappear:(BOOL)animated;
- (void)viewDidDisappear:(BOOL)animated;
- (void)viewIsAppearing:(BOOL)animated API_AVAILABLE_IOS(13.0);
- (void)viewWillLayoutSubviews;
- (void)viewDidLayoutSubviews;
- (void)viewSafeAreaInsetsDidChange NS_REQUIRES_SUPER API_AVAILABLE_IOS(11.0);
- (void)viewWillTransitionToSize:(CGSize)size
       withTransitionCoordinator:(id<UIViewControllerTransitionCoordinator>)coordinator;
@property(nullable, readonly, strong) id<UIViewControllerTransitionCoordinator> transitionCoordinator;
@property UIUserInterfaceStyle overrideUserInterfaceStyle API_AVAILABLE_IOS(13.0);

@property(readonly) UIStatusBarStyle preferredStatusBarStyle;
@property(readonly) BOOL prefersStatusBarHidden;
@property(nullable, readonly) UIViewController *childViewControllerForStatusBarStyle
    NS_SWIFT_NAME(childForStatusBarStyle);
- (void)setNeedsStatusBarAppearanceUpdate;
@property(readonly) UIInterfaceOrientationMask supportedInterfaceOrientations;
@property(readonly) BOOL shouldAutorotate;
- (void)setNeedsUpdateOfSupportedInterfaceOrientations API_AVAILABLE_IOS(16.0);
@property UIEdgeInsets additionalSafeAreaInsets API_AVAILABLE_IOS(11.0);

@property UIModalPresentationStyle modalPresentationStyle;
@property UIModalTransitionStyle modalTransitionStyle;
@property BOOL modalPresentationCapturesStatusBarAppearance;
@property(getter=isModalInPresentation) BOOL modalInPresentation API_AVAILABLE_IOS(13.0);
@property(nullable, readonly) UIViewController *presentedViewController NS_SWIFT_NAME(presentedViewController);
@property(nullable, readonly) UIViewController *presentingViewController NS_SWIFT_NAME(presentingViewController);
@property(nullable, readonly) UIPresentationController *presentationController;
@property(readonly, getter=isBeingPresented) BOOL beingPresented;
@property(readonly, getter=isBeingDismissed) BOOL beingDismissed;
@property(readonly, getter=isMovingToParentViewController) BOOL movingToParentViewController
    NS_SWIFT_NAME(isMovingToParent);
@property(readonly, getter=isMovingFromParentViewController) BOOL movingFromParentViewController
    NS_SWIFT_NAME(isMovingFromParent);
- (void)presentViewController:(UIViewController *)controller
                     animated:(BOOL)animated
                   completion:(void (^_Nullable)(void))completion NS_SWIFT_NAME(present(_:animated:completion:));
- (void)dismissViewControllerAnimated:(BOOL)animated
                           completion:(void (^_Nullable)(void))completion NS_SWIFT_NAME(dismiss(animated:completion:));

@property(nullable, readonly) UIViewController *parentViewController NS_SWIFT_NAME(parent);
@property(readonly) NSArray<UIViewController *> *childViewControllers NS_SWIFT_NAME(children);
- (void)addChildViewController:(UIViewController *)child NS_SWIFT_NAME(addChild(_:));
- (void)removeFromParentViewController NS_SWIFT_NAME(removeFromParent());
- (void)willMoveToParentViewController:(nullable UIViewController *)parent NS_SWIFT_NAME(willMove(toParent:));
- (void)didMoveToParentViewController:(nullable UIViewController *)parent NS_SWIFT_NAME(didMove(toParent:));

@property(nullable, readonly, strong) UINavigationController *navigationController;
@property(readonly, strong) UINavigationItem *navigationItem;
@end

API_AVAILABLE_IOS(13.0) NS_SWIFT_UI_ACTOR
@interface UINavigationBarAppearance : NSObject
- (void)configureWithOpaqueBackground;
@property(nullable, copy) UIColor *backgroundColor;
@property(copy) NSDictionary<NSAttributedStringKey, id> *titleTextAttributes;
@end
NS_SWIFT_UI_ACTOR
@interface UINavigationBar : UIView
@property(nullable, strong) UIColor *barTintColor;
@property(copy) UINavigationBarAppearance *standardAppearance API_AVAILABLE_IOS(13.0);
@property(nullable, copy) UINavigationBarAppearance *scrollEdgeAppearance API_AVAILABLE_IOS(13.0);
@end

NS_SWIFT_UI_ACTOR
@interface UINavigationController : UIViewController
- (instancetype)initWithRootViewController:(UIViewController *)root;
@property(readonly) UINavigationBar *navigationBar;
@property(copy) NSArray<UIViewController *> *viewControllers NS_SWIFT_NAME(viewControllers);
@property(nullable, readonly, strong) UIViewController *topViewController NS_SWIFT_NAME(topViewController);
@property(nullable, readonly, strong) UIViewController *visibleViewController NS_SWIFT_NAME(visibleViewController);
@property(nullable, readonly) UIGestureRecognizer *interactivePopGestureRecognizer;
@property(getter=isNavigationBarHidden) BOOL navigationBarHidden;
- (void)setNavigationBarHidden:(BOOL)hidden animated:(BOOL)animated;
- (void)setViewControllers:(NSArray<UIViewController *> *)controllers animated:(BOOL)animated
    NS_SWIFT_NAME(setViewControllers(_:animated:));
- (void)pushViewController:(UIViewController *)controller animated:(BOOL)animated
    NS_SWIFT_NAME(pushViewController(_:animated:));
- (nullable UIViewController *)popViewControllerAnimated:(BOOL)animated NS_SWIFT_DISCARDABLE
    NS_SWIFT_NAME(popViewController(animated:));
- (nullable NSArray<UIViewController *> *)popToViewController:(UIViewController *)controller
                                                     animated:(BOOL)animated NS_SWIFT_DISCARDABLE
    NS_SWIFT_NAME(popToViewController(_:animated:));
- (nullable NSArray<UIViewController *> *)popToRootViewControllerAnimated:(BOOL)animated NS_SWIFT_DISCARDABLE
    NS_SWIFT_NAME(popToRootViewController(animated:));
@end

NS_SWIFT_UI_ACTOR
@interface UIScreen : NSObject <UITraitEnvironment>
@property(readonly) CGRect bounds;
@property CGFloat brightness;
@end
typedef NS_ENUM(NSInteger, UISceneActivationState) {
    UISceneActivationStateUnattached = -1, UISceneActivationStateForegroundActive,
    UISceneActivationStateForegroundInactive, UISceneActivationStateBackground,
} API_AVAILABLE_IOS(13.0) NS_SWIFT_NAME(UIScene.ActivationState);
API_AVAILABLE_IOS(13.0) NS_SWIFT_UI_ACTOR
@interface UIScene : UIResponder
@property(readonly) UISceneActivationState activationState;
@end
API_AVAILABLE_IOS(13.0) NS_SWIFT_UI_ACTOR
@interface UIWindowScene : UIScene
@property(readonly) UIScreen *screen;
@property(readonly) UIInterfaceOrientation interfaceOrientation;
@property(readonly) id<UICoordinateSpace> coordinateSpace;
@property(readonly) NSArray<UIWindow *> *windows;
@end
NS_SWIFT_UI_ACTOR
@interface UIWindow : UIView
@property(nullable, strong) UIViewController *rootViewController;
@property(nullable, weak) UIWindowScene *windowScene API_AVAILABLE_IOS(13.0);
@property(readonly, getter=isKeyWindow) BOOL keyWindow;
- (void)makeKeyAndVisible;
@end

typedef NSString *UIImagePickerControllerInfoKey NS_TYPED_EXTENSIBLE_ENUM
    NS_SWIFT_NAME(UIImagePickerController.InfoKey);
extern const UIImagePickerControllerInfoKey UIImagePickerControllerOriginalImage NS_SWIFT_NAME(originalImage);
extern const UIImagePickerControllerInfoKey UIImagePickerControllerEditedImage NS_SWIFT_NAME(editedImage);
@class UIImagePickerController;
NS_SWIFT_UI_ACTOR
@protocol UINavigationControllerDelegate <NSObject>
@end
NS_SWIFT_UI_ACTOR
@protocol UIImagePickerControllerDelegate <NSObject>
@optional
- (void)imagePickerController:(UIImagePickerController *)picker
    didFinishPickingMediaWithInfo:(NSDictionary<UIImagePickerControllerInfoKey, id> *)info;
- (void)imagePickerControllerDidCancel:(UIImagePickerController *)picker;
@end
NS_SWIFT_UI_ACTOR
@interface UIImagePickerController : UINavigationController
+ (BOOL)isSourceTypeAvailable:(UIImagePickerControllerSourceType)type NS_SWIFT_NAME(isSourceTypeAvailable(_:));
+ (BOOL)isCameraDeviceAvailable:(UIImagePickerControllerCameraDevice)device NS_SWIFT_NAME(isCameraDeviceAvailable(_:));
@property(nullable, weak) id<UINavigationControllerDelegate, UIImagePickerControllerDelegate> delegate;
@property UIImagePickerControllerSourceType sourceType;
@property UIImagePickerControllerCameraDevice cameraDevice;
@property BOOL allowsEditing;
@end

typedef NSString *UIApplicationOpenExternalURLOptionsKey NS_TYPED_ENUM
    NS_SWIFT_NAME(UIApplication.OpenExternalURLOptionsKey);
extern NSString *const UIApplicationOpenSettingsURLString NS_SWIFT_NAME(UIApplication.openSettingsURLString)
    NS_SWIFT_NONISOLATED;
NS_SWIFT_UI_ACTOR
@interface UIApplication : UIResponder
- (void)openURL:(NSURL *)url
              options:(NSDictionary<UIApplicationOpenExternalURLOptionsKey, id> *)options
    completionHandler:(void (^_Nullable)(BOOL success))handler API_AVAILABLE_IOS(10.0)
    NS_SWIFT_NAME(open(_:options:completionHandler:));
@property(class, readonly, strong) UIApplication *sharedApplication NS_SWIFT_NAME(shared);
@property(readonly) NSSet<UIScene *> *connectedScenes API_AVAILABLE_IOS(13.0);
- (UIInterfaceOrientationMask)supportedInterfaceOrientationsForWindow:(nullable UIWindow *)window;
@end
extern const NSNotificationName UIApplicationWillEnterForegroundNotification
    NS_SWIFT_NAME(UIApplication.willEnterForegroundNotification) NS_SWIFT_NONISOLATED;

// For a sample of SuperID's document.
API_DEPRECATED_IOS(2.0, 9.0) NS_SWIFT_UI_ACTOR
@interface UIAlertView : UIView
- (instancetype)initWithTitle:(nullable NSString *)title
                      message:(nullable NSString *)message
                     delegate:(nullable id)delegate
            cancelButtonTitle:(nullable NSString *)cancelTitle
            otherButtonTitles:(nullable NSString *)otherTitles, ...;
- (void)show;
@end
NS_ASSUME_NONNULL_END
