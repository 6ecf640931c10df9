extension PageDescription {
    /// The app's emblem.
    public struct Logo: Hashable, Sendable, PageObject {
        /// Not shown (`logoHidden`).
        public var isHidden = false
        /// The picture (`appLogo`).
        public var image = PageImage("logo", width: 72, height: 72)
        /// Points (`logoCornerRadius`).
        public var cornerRadius = 0.0
        /// Where it stands (`logoRect`); as large as the picture unless it says otherwise.
        public var placement = PagePlacement()

        public init() {}

        mutating func code(_ coder: inout PageCoder) throws(PageError) {
            try coder("hidden", &isHidden)
            try coder("image", &image)
            try coder.number("cornerRadius", &cornerRadius, in: 0...1000)
            try coder("placement", &placement)
        }
    }

    /// The masked number. It cannot be hidden and its text cannot be changed.
    public struct Number: Hashable, Sendable, PageObject {
        /// How large (`phoneNumFont`).
        public var font = PageFont(24, isBold: true)
        /// In which colour (`phoneNumColor`).
        public var color = AdaptiveColor.ink
        /// Where it stands (`phoneNumRect`).
        public var placement = PagePlacement()

        public init() {}

        mutating func code(_ coder: inout PageCoder) throws(PageError) {
            try coder("font", &font)
            try coder("color", &color)
            try coder("placement", &placement)
        }
    }

    /// The carrier's line of text. It cannot be hidden and its text is the carrier's.
    public struct Slogan: Hashable, Sendable, PageObject {
        /// How large (`sloganTextFont`).
        public var font = PageFont(12)
        /// In which colour (`sloganTextColor`).
        public var color = AdaptiveColor.secondaryInk
        /// Where it stands (`sloganRect`).
        public var placement = PagePlacement()

        public init() {}

        mutating func code(_ coder: inout PageCoder) throws(PageError) {
            try coder("font", &font)
            try coder("color", &color)
            try coder("placement", &placement)
        }
    }

    /// The button that asks for the token.
    public struct LoginButton: Hashable, Sendable, PageObject {
        /// One colour for each state of a button.
        public struct Fills: Hashable, Sendable, PageObject {
            /// When it can be tapped.
            public var normal = AdaptiveColor(0x1666d9, dark: 0x1666d9)
            /// When it cannot.
            public var disabled = AdaptiveColor(0x767676, dark: 0x636366)
            /// While a finger is on it.
            public var highlighted = AdaptiveColor(0x4a6fa5, dark: 0x4a6fa5)

            public init() {}

            mutating func code(_ coder: inout PageCoder) throws(PageError) {
                try coder("normal", &normal)
                try coder("disabled", &disabled)
                try coder("highlighted", &highlighted)
            }
        }

        /// One picture for each state of a button, stretched over its colour (`authButtonImages`).
        public struct Images: Hashable, Sendable, PageObject {
            /// When it can be tapped.
            public var normal: PageImage?
            /// When it cannot.
            public var disabled: PageImage?
            /// While a finger is on it.
            public var highlighted: PageImage?

            public init() {}

            mutating func code(_ coder: inout PageCoder) throws(PageError) {
                try coder("normal", &normal)
                try coder("disabled", &disabled)
                try coder("highlighted", &highlighted)
            }
        }

        /// Its text and style (`authButtonTitle`). The text must speak of logging in.
        public var title = StyledText(
            LocalizedText("一键登录", "一鍵登入", "Log in with one tap"), PageFont(16),
            AdaptiveColor(0xffffff, dark: 0xffffff))
        /// The colours of its states.
        public var fills = Fills()
        /// The pictures of its states.
        public var images = Images()
        /// Points (`authButtonCornerRadius`).
        public var cornerRadius = 4.0
        /// Cannot be tapped until the tick is set (`disableAuthButtonWhenUnchecked`).
        public var needsTick = false
        /// Where it stands (`authButtonRect`).
        public var placement = PagePlacement()

        public init() {}

        mutating func code(_ coder: inout PageCoder) throws(PageError) {
            try title.code(&coder)
            try coder("fills", &fills)
            try coder("images", &images)
            try coder.number("cornerRadius", &cornerRadius, in: 0...1000)
            try coder("needsTick", &needsTick)
            try coder("placement", &placement)
        }
    }

    /// The way to another account or another kind of login.
    public struct SwitchButton: Hashable, Sendable, PageObject {
        /// Not shown (`switchButtonHidden`).
        public var isHidden = false
        /// Its text and style (`switchButtonText`, `switchButtonFont`, `switchButtonColor`).
        public var title = StyledText(
            LocalizedText("切换账号", "切換帳號", "Use another account"), PageFont(15), .accent)
        /// The colour behind the text (`switchButtonBackgroundColor`).
        public var fill = AdaptiveColor(.clear)
        /// Where it stands (`switchButtonRect`).
        public var placement = PagePlacement()

        public init() {}

        mutating func code(_ coder: inout PageCoder) throws(PageError) {
            try coder("hidden", &isHidden)
            try title.code(&coder)
            try coder("fill", &fill)
            try coder("placement", &placement)
        }
    }

    /// A view of the app on the page (`customUIHandler`), for example another way to log in.
    ///
    /// The description says where it stands, so that the rules can see what it covers; the app supplies the view.
    public struct CustomView: Hashable, Sendable, PageObject {
        /// Name and size.
        public var slot: PageSlot
        /// Its spoken text, for people who do not see it. Part of the page's content and therefore of the consent.
        public var label: LocalizedText?
        /// Where it stands. Without a size it is as large as the slot.
        public var placement = PagePlacement()

        public init(_ slot: PageSlot, placement: PagePlacement, label: LocalizedText? = nil) {
            self.slot = slot
            self.placement = placement
            self.label = label
        }

        init() { slot = PageSlot("") }

        mutating func code(_ coder: inout PageCoder) throws(PageError) {
            try coder.required("view", &slot)
            try coder("label", &label)
            try coder("placement", &placement)
        }
    }
}
