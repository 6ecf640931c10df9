// The C types that two vendors' documents share. Swift cannot declare a C structure, so they live here, once.
#ifndef ONETAP_C_TYPES_H
#define ONETAP_C_TYPES_H

#ifdef __APPLE__
#include <CoreGraphics/CoreGraphics.h>
typedef CGFloat OLLength;
typedef CGSize OLSize;
#else
// The same layout where there is no CoreGraphics.
typedef double OLLength;
typedef struct OLSize {
    OLLength width;
    OLLength height;
} OLSize;
#endif

/// Where a control stands, and how large it is: points. A value that is not above zero means the default.
typedef struct OLRect {
    /// Portrait: from the navigation bar's lower edge, without one from the status bar's. In a popup: from its top.
    OLLength portraitTopYOffset;
    /// Portrait: from the middle of the screen or popup to the middle of the control; to the left when negative.
    OLLength portraitCenterXOffset;
    /// Portrait: from the left edge of the screen or popup. Wins over `portraitCenterXOffset`.
    OLLength portraitLeftXOffset;
    /// Landscape: from the navigation bar's lower edge, without one from the screen's top. In a popup: from its top.
    OLLength landscapeTopYOffset;
    /// Landscape: like `portraitCenterXOffset`.
    OLLength landscapeCenterXOffset;
    /// Landscape: like `portraitLeftXOffset`.
    OLLength landscapeLeftXOffset;
    /// Counts only when both sides are above zero.
    OLSize size;
} OLRect;

/// As a comment of both documents spells it.
#define OLAuthPopupAnimationStyleStyleCustom OLAuthPopupAnimationStyleCustom

// The blocks, for Objective-C only: Swift has them from OneTapPageTypes, with the thread on which they are called.
#if defined(__OBJC__) && !defined(__swift__)
#import <UIKit/UIKit.h>

@class GyAuthPrivacyItem;
@class OLPrivacyTermItem;

typedef void (^OLCustomUIHandler)(UIView *_Nonnull customAreaView);
typedef void (^OLLoadingViewBlock)(UIView *_Nonnull containerView);
typedef void (^OLStopLoadingViewBlock)(UIView *_Nonnull containerView);
typedef void (^OLAuthViewLifeCycleBlock)(NSString *_Nonnull viewLifeCycle, BOOL animated);
typedef void (^OLClickAuthButtonBlock)(void);
typedef void (^OLClickBackButtonBlock)(void);
typedef void (^OLClickSwitchButtonBlock)(void);
typedef void (^OLClickCheckboxBlock)(BOOL isChecked);
typedef void (^OLNotCheckProtocolHintBlock)(void);
typedef BOOL (^OLProtocolHintBlock)(void);
typedef void (^OLTapAuthBackgroundBlock)(void);
typedef void (^OLAuthVCTransitionBlock)(CGSize size, id<UIViewControllerTransitionCoordinator> _Nonnull coordinator,
                                        UIView *_Nonnull customAreaView);
typedef void (^OLViewPrivacyTermItemBlock)(OLPrivacyTermItem *_Nonnull item, UIViewController *_Nonnull controller);
typedef void (^OLPrivacyTermItemBlock)(GyAuthPrivacyItem *_Nonnull item, UIViewController *_Nonnull controller);
typedef BOOL (^GyBoolBlock)(void);
typedef void (^GyCallback)(BOOL isSuccess, NSError *_Nullable error, NSString *_Nullable gyUid);
typedef void (^GyVerifyCallback)(NSDictionary *_Nullable verifyDictionary);
#endif

#endif
