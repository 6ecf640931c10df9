#pragma once
#import <Foundation/Foundation.h>

typedef NS_ENUM(NSInteger, NSTextAlignment) {
    NSTextAlignmentLeft, NSTextAlignmentCenter, NSTextAlignmentRight, NSTextAlignmentJustified, NSTextAlignmentNatural,
};
typedef NS_ENUM(NSInteger, NSLineBreakMode) {
    NSLineBreakByWordWrapping, NSLineBreakByCharWrapping, NSLineBreakByClipping,
    NSLineBreakByTruncatingHead, NSLineBreakByTruncatingTail, NSLineBreakByTruncatingMiddle,
};
typedef NS_OPTIONS(NSInteger, NSUnderlineStyle) { NSUnderlineStyleNone = 0, NSUnderlineStyleSingle = 1 };
typedef NS_OPTIONS(NSInteger, NSStringDrawingOptions) {
    NSStringDrawingUsesLineFragmentOrigin = 1 << 0, NSStringDrawingUsesFontLeading = 1 << 1,
};
typedef NS_ENUM(NSInteger, UIStatusBarStyle) {
    UIStatusBarStyleDefault, UIStatusBarStyleLightContent, UIStatusBarStyleDarkContent API_AVAILABLE_IOS(13.0) = 3,
};
typedef NS_ENUM(NSInteger, UIUserInterfaceStyle) {
    UIUserInterfaceStyleUnspecified, UIUserInterfaceStyleLight, UIUserInterfaceStyleDark,
};
typedef NS_ENUM(NSInteger, UIUserInterfaceSizeClass) {
    UIUserInterfaceSizeClassUnspecified, UIUserInterfaceSizeClassCompact, UIUserInterfaceSizeClassRegular,
};
typedef NS_ENUM(NSInteger, UIModalPresentationStyle) {
    UIModalPresentationFullScreen, UIModalPresentationPageSheet, UIModalPresentationFormSheet,
    UIModalPresentationCurrentContext, UIModalPresentationCustom, UIModalPresentationOverFullScreen,
    UIModalPresentationOverCurrentContext, UIModalPresentationPopover, UIModalPresentationNone = -1,
    UIModalPresentationAutomatic API_AVAILABLE_IOS(13.0) = -2,
};
typedef NS_ENUM(NSInteger, UIModalTransitionStyle) {
    UIModalTransitionStyleCoverVertical, UIModalTransitionStyleFlipHorizontal, UIModalTransitionStyleCrossDissolve,
    UIModalTransitionStylePartialCurl,
};
typedef NS_ENUM(NSInteger, UIInterfaceOrientation) {
    UIInterfaceOrientationUnknown, UIInterfaceOrientationPortrait, UIInterfaceOrientationPortraitUpsideDown,
    UIInterfaceOrientationLandscapeRight, UIInterfaceOrientationLandscapeLeft,
};
typedef NS_OPTIONS(NSUInteger, UIInterfaceOrientationMask) {
    UIInterfaceOrientationMaskPortrait = 1 << 1,
    UIInterfaceOrientationMaskPortraitUpsideDown = 1 << 2,
    UIInterfaceOrientationMaskLandscapeRight = 1 << 3,
    UIInterfaceOrientationMaskLandscapeLeft = 1 << 4,
    UIInterfaceOrientationMaskLandscape = 3 << 3,
    UIInterfaceOrientationMaskAll = 15 << 1,
    UIInterfaceOrientationMaskAllButUpsideDown = 13 << 1,
};
typedef NS_OPTIONS(NSUInteger, UIRectCorner) {
    UIRectCornerTopLeft = 1 << 0,
    UIRectCornerTopRight = 1 << 1,
    UIRectCornerBottomLeft = 1 << 2,
    UIRectCornerBottomRight = 1 << 3,
    UIRectCornerAllCorners = ~0UL,
};
typedef NS_OPTIONS(NSUInteger, UIControlEvents) {
    UIControlEventTouchDown = 1 << 0,
    UIControlEventTouchUpInside = 1 << 6,
    UIControlEventTouchUpOutside = 1 << 7,
    UIControlEventTouchCancel = 1 << 8,
    UIControlEventValueChanged = 1 << 12,
    UIControlEventPrimaryActionTriggered = 1 << 13,
    UIControlEventEditingChanged = 1 << 17,
} NS_SWIFT_NAME(UIControl.Event);
typedef NS_OPTIONS(NSUInteger, UIControlState) {
    UIControlStateNormal = 0,
    UIControlStateHighlighted = 1 << 0,
    UIControlStateDisabled = 1 << 1,
    UIControlStateSelected = 1 << 2,
} NS_SWIFT_NAME(UIControl.State);
typedef NS_ENUM(NSInteger, UIButtonType) {
    UIButtonTypeCustom, UIButtonTypeSystem,
} NS_SWIFT_NAME(UIButton.ButtonType);
typedef NS_ENUM(NSInteger, UIActivityIndicatorViewStyle) {
    UIActivityIndicatorViewStyleMedium API_AVAILABLE_IOS(13.0) = 100,
    UIActivityIndicatorViewStyleLarge API_AVAILABLE_IOS(13.0) = 101,
} NS_SWIFT_NAME(UIActivityIndicatorView.Style);
typedef NS_ENUM(NSInteger, UIBarButtonSystemItem) {
    UIBarButtonSystemItemDone, UIBarButtonSystemItemCancel, UIBarButtonSystemItemClose API_AVAILABLE_IOS(13.0) = 24,
} NS_SWIFT_NAME(UIBarButtonItem.SystemItem);
typedef NS_OPTIONS(NSUInteger, UIViewAutoresizing) {
    UIViewAutoresizingNone = 0,
    UIViewAutoresizingFlexibleWidth = 1 << 1,
    UIViewAutoresizingFlexibleHeight = 1 << 4,
} NS_SWIFT_NAME(UIView.AutoresizingMask);
typedef NS_OPTIONS(NSUInteger, UIViewAnimationOptions) {
    UIViewAnimationOptionAllowUserInteraction = 1 << 1,
    UIViewAnimationOptionBeginFromCurrentState = 1 << 2,
    UIViewAnimationOptionCurveEaseOut = 2 << 16,
    UIViewAnimationOptionTransitionCrossDissolve = 5 << 20,
} NS_SWIFT_NAME(UIView.AnimationOptions);
typedef NS_ENUM(NSInteger, UIViewContentMode) {
    UIViewContentModeScaleToFill, UIViewContentModeScaleAspectFit, UIViewContentModeScaleAspectFill,
    UIViewContentModeRedraw, UIViewContentModeCenter,
} NS_SWIFT_NAME(UIView.ContentMode);
typedef NS_ENUM(NSInteger, UIImageRenderingMode) {
    UIImageRenderingModeAutomatic, UIImageRenderingModeAlwaysOriginal, UIImageRenderingModeAlwaysTemplate,
} NS_SWIFT_NAME(UIImage.RenderingMode);
typedef NS_OPTIONS(uint32_t, UIFontDescriptorSymbolicTraits) {
    UIFontDescriptorTraitItalic NS_SWIFT_NAME(traitItalic) = 1 << 0,
    UIFontDescriptorTraitBold NS_SWIFT_NAME(traitBold) = 1 << 1,
} NS_SWIFT_NAME(UIFontDescriptor.SymbolicTraits);
typedef NS_ENUM(NSInteger, UITextBorderStyle) {
    UITextBorderStyleNone, UITextBorderStyleLine, UITextBorderStyleBezel, UITextBorderStyleRoundedRect,
} NS_SWIFT_NAME(UITextField.BorderStyle);
typedef NS_ENUM(NSInteger, UIKeyboardType) {
    UIKeyboardTypeDefault, UIKeyboardTypeNumberPad = 4, UIKeyboardTypePhonePad,
};
typedef NSString *UITextContentType NS_TYPED_ENUM;
extern UITextContentType const UITextContentTypeTelephoneNumber API_AVAILABLE_IOS(10.0);
extern UITextContentType const UITextContentTypeOneTimeCode API_AVAILABLE_IOS(12.0);
typedef NS_ENUM(NSInteger, UIImagePickerControllerSourceType) {
    UIImagePickerControllerSourceTypePhotoLibrary, UIImagePickerControllerSourceTypeCamera,
    UIImagePickerControllerSourceTypeSavedPhotosAlbum,
} NS_SWIFT_NAME(UIImagePickerController.SourceType);
typedef NS_ENUM(NSInteger, UIImagePickerControllerCameraDevice) {
    UIImagePickerControllerCameraDeviceRear, UIImagePickerControllerCameraDeviceFront,
} NS_SWIFT_NAME(UIImagePickerController.CameraDevice);
