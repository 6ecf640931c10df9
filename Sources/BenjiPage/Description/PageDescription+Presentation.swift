extension PageDescription {
    /// How the page comes, goes and turns.
    public struct Presentation: Hashable, Sendable, PageObject {
        /// How the page is put before the person, and the terms before the page (`pullAuthVCStyle`).
        public enum Style: String, Hashable, Sendable, CaseIterable, PageWord {
            /// Presented over the current screen.
            case modal
            /// Pushed onto the navigation stack. There is no popup this way.
            case push
        }

        /// Which part of the screen a presented page covers (`modalPresentationStyle`).
        public enum Coverage: String, Hashable, Sendable, CaseIterable, PageWord {
            case fullScreen, overFullScreen, pageSheet, formSheet
        }

        /// A way of holding the device (`supportedInterfaceOrientations`).
        public enum Orientation: String, Hashable, Sendable, CaseIterable, PageWord {
            case portrait, portraitUpsideDown, landscapeLeft, landscapeRight
        }

        /// Whether the page is light or dark (`userInterfaceStyle`).
        public enum Appearance: String, Hashable, Sendable, CaseIterable, PageWord {
            /// As the device is.
            case automatic
            /// Always light.
            case light
            /// Always dark.
            case dark
        }

        /// Presented or pushed.
        public var style = Style.modal
        /// How much it covers when presented.
        public var coverage = Coverage.fullScreen
        /// Whether the change is animated (`pullAnimate`).
        public var isAnimated = true
        /// The app's own animation for coming (`modalPresentationAnimation`).
        public var arrival: PageSlot?
        /// The app's own animation for going (`modalDismissAnimation`).
        public var departure: PageSlot?
        /// The orientations in which a presented page is shown, as far as the app has them. If the app has none of
        /// them, the page is oriented as the app. A pushed page turns as its navigation controller does, and windows of
        /// iPadOS as people like.
        public var orientations: [Orientation] = [.portrait, .landscapeLeft, .landscapeRight]
        /// Light, dark or as the device is.
        public var appearance = Appearance.automatic

        public init() {}

        mutating func code(_ coder: inout PageCoder) throws(PageError) {
            try coder("style", &style)
            try coder("coverage", &coverage)
            try coder("animated", &isAnimated)
            try coder("arrival", &arrival)
            try coder("departure", &departure)
            try coder.words("orientations", &orientations, least: 1)
            try coder("appearance", &appearance)
        }
    }

    /// The system's status bar.
    public struct StatusBar: Hashable, Sendable, PageObject {
        /// How its text is coloured.
        public enum Style: String, Hashable, Sendable, CaseIterable, PageWord {
            /// Dark on a light page, light on a dark one.
            case automatic
            /// Dark text.
            case dark
            /// Light text.
            case light
        }

        /// How its text is coloured.
        public var style = Style.automatic

        public init() {}

        mutating func code(_ coder: inout PageCoder) throws(PageError) { try coder("style", &style) }
    }

    /// The bar at the top. A popup has none.
    public struct NavigationBar: Hashable, Sendable, PageObject {
        /// No bar; controls are then placed from the status bar or the top of the screen (`naviHidden`).
        public var isHidden = false
        /// The title (`naviTitle`), none by default.
        public var title: NavigationTitle?
        /// The bar's colour (`naviBgColor`).
        public var color = AdaptiveColor(0xffffff, dark: 0x1c1c1e)
        /// The button that closes the page.
        public var back = BackButton()
        /// The app's own view at the right (`naviRightControl`).
        public var right: PageSlot?

        public init() {}

        mutating func code(_ coder: inout PageCoder) throws(PageError) {
            try coder("hidden", &isHidden)
            try coder("title", &title)
            try coder("color", &color)
            try coder("back", &back)
            try coder("right", &right)
        }
    }

    /// A title in a navigation bar.
    public struct NavigationTitle: Hashable, Sendable, PageObject {
        /// Its text and style.
        public var style = StyledText(LocalizedText("登录", "登入", "Log in"), PageFont(17, isBold: true), .ink)

        public init() {}

        public init(_ text: LocalizedText) { style.text = text }

        mutating func code(_ coder: inout PageCoder) throws(PageError) { try style.code(&coder) }
    }

    /// The button at the left of a navigation bar.
    public struct BackButton: Hashable, Sendable, PageObject {
        /// The greatest width and height that the documents allow.
        public static let maximumSide = 40.0

        /// Not shown (`backButtonHidden`, `webBackBtnHidden`).
        public var isHidden = false
        /// Its picture (`naviBackImage`, `webBackBtnImg`); without one, an arrow that the renderer draws.
        public var image: PageImage?
        /// Where it stands, measured in the bar (`backButtonRect`, `webBackBtnRect`); at most 40 × 40.
        public var placement = PagePlacement()

        public init() {}

        mutating func code(_ coder: inout PageCoder) throws(PageError) {
            try coder("hidden", &isHidden)
            try coder("image", &image)
            try coder("placement", &placement)
        }
    }

    /// The background of the page. Colour at the back, then image, then GIF or video.
    public struct Background: Hashable, Sendable, PageObject {
        /// The colour (`backgroundColor`).
        public var color = AdaptiveColor.paper
        /// An image that fills the page (`backgroundImage`).
        public var image: PageImage?
        /// Another one for landscape (`landscapeBackgroundImage`).
        public var landscapeImage: PageImage?
        /// A GIF that fills the page (`backgroundGifPath`).
        public var gif: PageSlot?
        /// A video that fills the page, without sound (`backgroundVideoPath`).
        public var video: PageSlot?
        /// Whether GIF and video begin again at their end (`allowGifOrVideoPlayRepeat`).
        public var repeats = true

        public init() {}

        mutating func code(_ coder: inout PageCoder) throws(PageError) {
            try coder("color", &color)
            try coder("image", &image)
            try coder("landscapeImage", &landscapeImage)
            try coder("gif", &gif)
            try coder("video", &video)
            try coder("repeats", &repeats)
        }
    }

    /// The indicator that is shown while the token is on its way.
    public struct Loading: Hashable, Sendable, PageObject {
        /// The app's own view in place of the built-in one (`loadingViewBlock`, `stopLoadingViewBlock`).
        public var view: PageSlot?
        /// The mask over the page meanwhile.
        public var mask = AdaptiveColor(PageColor(0x000000, alpha: 51))

        public init() {}

        mutating func code(_ coder: inout PageCoder) throws(PageError) {
            try coder("view", &view)
            try coder("mask", &mask)
        }
    }

    /// The page that shows the text of terms.
    public struct WebPage: Hashable, Sendable, PageObject {
        /// No navigation bar (`webNaviHidden`).
        public var isBarHidden = false
        /// The bar's title (`webNaviTitle`); without one, the title of the terms.
        public var title: NavigationTitle?
        /// The bar's colour (`webNaviBgColor`).
        public var color = AdaptiveColor(0xffffff, dark: 0x1c1c1e)
        /// The way back to the authorization page.
        public var back = BackButton()

        public init() {}

        mutating func code(_ coder: inout PageCoder) throws(PageError) {
            try coder("barHidden", &isBarHidden)
            try coder("title", &title)
            try coder("color", &color)
            try coder("back", &back)
        }
    }
}

extension AdaptiveColor {
    /// Text that is read first.
    static let ink = AdaptiveColor(0x000000, dark: 0xffffff)
    /// Text that is read second. On ``paper`` its contrast is above 4.5:1.
    static let secondaryInk = AdaptiveColor(0x666666, dark: 0xa3a3a8)
    /// Links and the login button.
    static let accent = AdaptiveColor(0x1666d9, dark: 0x6aa9ff)
    /// The colour of surfaces behind text.
    static let paper = AdaptiveColor(0xffffff, dark: 0x1c1c1e)
}
