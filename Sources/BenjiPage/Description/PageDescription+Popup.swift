extension PageDescription {
    /// A panel over a mask instead of the full screen.
    public struct Popup: Hashable, Sendable, PageObject {
        /// Where the panel stands when its placement does not say.
        public enum Position: String, Hashable, Sendable, CaseIterable, PageWord {
            /// In the middle of the screen.
            case center
            /// At its lower edge, reaching below the safe area: a bottom sheet.
            case bottom
        }

        /// How the panel appears (`popupAnimationStyle`).
        public enum Animation: String, Hashable, Sendable, CaseIterable, PageWord {
            case coverVertical, flipHorizontal, crossDissolve
            /// By the app's own animation, ``Popup/animationSlot``.
            case custom
        }

        /// A corner of the panel (`popupRectCorners`).
        public enum Corner: String, Hashable, Sendable, CaseIterable, PageWord {
            case topLeft, topRight, bottomLeft, bottomRight
        }

        /// Where it stands by itself.
        public var position = Position.center
        /// Where it is put, and how large it is (`popupRect`). The only horizontal offset that counts is `left`.
        public var placement = PagePlacement()
        /// The corners that are rounded.
        public var corners: [Corner] = [.topLeft, .topRight, .bottomLeft, .bottomRight]
        /// Points (`popupCornerRadius`).
        public var cornerRadius = 6.0
        /// How it appears.
        public var animation = Animation.coverVertical
        /// The app's own animation (`popupTransitionAnimation`).
        public var animationSlot: PageSlot?
        /// The button at its top right.
        public var close = CloseButton()
        /// Whether a tap beside the panel closes the page (`canClosePopupFromTapGesture`).
        public var closesOnOutsideTap = false
        /// The mask over the app behind the panel.
        public var mask = AdaptiveColor(PageColor(0x000000, alpha: 128))
        /// The app's own view in place of it (`popupMaskView`).
        public var maskSlot: PageSlot?

        public init() {}

        mutating func code(_ coder: inout PageCoder) throws(PageError) {
            try coder("position", &position)
            try coder("placement", &placement)
            try coder.words("corners", &corners)
            try coder.number("cornerRadius", &cornerRadius, in: 0...1000)
            try coder("animation", &animation)
            try coder("animationSlot", &animationSlot)
            try coder("close", &close)
            try coder("closesOnOutsideTap", &closesOnOutsideTap)
            try coder("mask", &mask)
            try coder("maskSlot", &maskSlot)
        }
    }

    /// The button at the top right of a popup.
    public struct CloseButton: Hashable, Sendable, PageObject {
        /// Its picture (`closePopupImage`); without one, a cross that the renderer draws.
        public var image: PageImage?
        /// Points from the top of the panel (`closePopupTopOffset`).
        public var top = 12.0
        /// Points from its right edge (`closePopupRightOffset`).
        public var right = 12.0
        /// Points (`closePopupSize`); without it, the size of the picture, or 24.
        public var width: Double?
        /// Points.
        public var height: Double?

        public init() {}

        mutating func code(_ coder: inout PageCoder) throws(PageError) {
            try coder("image", &image)
            try coder.number("top", &top, in: 0...1000)
            try coder.number("right", &right, in: 0...1000)
            try coder.number("width", &width, in: 0...200)
            try coder.number("height", &height, in: 0...200)
        }
    }

    /// Asks for consent once more when the login button is tapped without a tick.
    public struct ConsentDialog: Hashable, Sendable, PageObject {
        /// Its heading (`authDialogTitleText`).
        public var title = StyledText(
            LocalizedText("服务协议和隐私政策等指引", "服務協議和隱私政策等指引", "Terms of service and privacy"), PageFont(16), .ink)
        /// The button that agrees and logs in.
        public var agree = StyledText(
            LocalizedText("同意并继续", "同意並繼續", "Agree and log in"), PageFont(14),
            AdaptiveColor(0xffffff, dark: 0xffffff))
        /// The colour behind ``agree``.
        public var agreeFill = AdaptiveColor(0x1666d9, dark: 0x1666d9)
        /// The button that does not.
        public var disagree = StyledText(LocalizedText("不同意", "不同意", "Disagree"), PageFont(14), .ink)
        /// The colour behind ``disagree``.
        public var disagreeFill = AdaptiveColor(0xe5e5ea, dark: 0x3a3a3c)
        /// The panel's colour (`authDialogBgColor`).
        public var color = AdaptiveColor.paper
        /// Points (`authDialogCornerRadius`).
        public var cornerRadius = 10.0
        /// At the lower edge of the screen instead of its middle (`isAuthDialogBottom`).
        public var isAtBottom = false
        /// Whether a tap outside closes it (`canCloseAuthDialogFromTapGesture`).
        public var closesOnOutsideTap = true
        /// Its place (`authDialogRect`). By default it is 300 points wide, or 440 at the lower edge as far as the
        /// screen goes. It is as high as it needs to be.
        public var placement = PagePlacement()

        public init() {}

        mutating func code(_ coder: inout PageCoder) throws(PageError) {
            try coder("title", &title)
            try coder("agree", &agree)
            try coder("agreeFill", &agreeFill)
            try coder("disagree", &disagree)
            try coder("disagreeFill", &disagreeFill)
            try coder("color", &color)
            try coder.number("cornerRadius", &cornerRadius, in: 0...1000)
            try coder("atBottom", &isAtBottom)
            try coder("closesOnOutsideTap", &closesOnOutsideTap)
            try coder("placement", &placement)
        }
    }
}
