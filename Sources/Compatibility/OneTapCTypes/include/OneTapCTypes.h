// The C types that documents 002 and 004 share. Swift cannot declare a C structure, so they live here, once.
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

#endif
