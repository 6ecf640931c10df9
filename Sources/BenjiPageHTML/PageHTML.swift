public import BenjiPage

/// Draws scenes as one HTML document that needs nothing from anywhere else: no script, no font, no file.
///
/// Each scene of the same page, one for each kind of screen, is shown where the window fits it best. Scenes of both
/// appearances follow the device's setting. The tick is a required checkbox and the buttons submit a form. So the page
/// works by keyboard and with a screen reader, and reports a missing tick by itself. Every box is where its scene puts
/// it.
///
/// It has no Foundation either, so that it can run wherever BenjiPage runs.
public struct PageHTML: Sendable {
    /// The inputs of the document besides its scenes.
    public struct Options: Sendable {
        /// Where the form goes; a path on the same origin. The button that was used is its field `action`: `login`,
        /// `switch`, `close`, `agree`, `disagree`, or `send` on a page of a login by SMS.
        public var formAction = "/"
        /// Fields that the form also sends.
        public var fields: [(name: String, value: String)] = []
        /// A fresh random value of at least 128 bits as base64url: the document's style sheet is allowed by it and no
        /// other. Send ``PageHTML/contentSecurityPolicy`` as a header as well.
        public var nonce: String
        /// The addresses behind the names of images, GIFs and videos: `data:` addresses, or absolute paths on the
        /// page's own host. A name without one is drawn as an empty frame.
        public var media: [(name: String, address: String)] = []

        /// Where an answer to the form may send the browser on, as sources of a content security policy: `https:`,
        /// `https://shop.example`. Chromium holds redirects after a form to its policy too.
        public var formTargets: [String] = []
        /// Whether a window that is both wide and high, as on a desktop, shows an upright scene as a card in its
        /// middle. It is the highest that leaves ground around it. Otherwise a scene of the window's orientation is at
        /// its top.
        public var isCardOnDesktops = false

        /// Whether the browser itself requires the tick. If not, the form is sent without it, and its receiver shows
        /// the page again with its consent dialog.
        public var isTickRequired = true
        /// Whether the page fades in, its sheet comes from below, and a pressed button answers. Never for people who
        /// asked for less motion.
        public var isAnimated = false
        /// A letter in the place of the logo, when there is no picture for it.
        public var monogram: String?
        /// A box below the scene, in a strip of its own; `nil` for none. A page under a dialog keeps its state and does
        /// not show it.
        public var extraBox: ExtraBox?
        /// The origins whose pages may show this one in a frame: `https://shop.example`. Without one, none may.
        public var frameAncestors: [String] = []

        public init(nonce: String) { self.nonce = nonce }
    }

    /// A checkbox of the page's host, which no scene has.
    public struct ExtraBox: Sendable {
        /// The form's field; its value is `yes`.
        public var name: String
        public var text: String
        public var isTicked: Bool
        /// A link after the text, to a path of the page's own host.
        public var link: (text: String, address: String)?

        public init(name: String, text: String, isTicked: Bool, link: (text: String, address: String)? = nil) {
            self.name = name
            self.text = text
            self.isTicked = isTicked
            self.link = link
        }

        /// The height of its strip, in points.
        static let height = 64.0
    }

    let scenes: [PageScene]
    let ticked: [PageScene]
    let taller: [PageScene]
    let options: Options

    /// Text that is safe between tags and within double quotes.
    public static func escaped(_ text: String) -> String { text.escaped }

    /// - Parameter scenes: the same page on different screens, at least one. A scene is shown while the window is at
    ///   least as wide as its screen, the widest that fits before the others. The first is shown when none fits.
    /// - Parameter ticked: the same scenes in the same order with the tick set. From them the document knows how tick
    ///   and login button look then; without them only the built-in tick changes.
    /// - Parameter taller: the same scenes in the same order on screens that are as wide and higher. Between the two
    ///   heights a scene is as high as the window, and each of its boxes moves evenly from one place to the other.
    ///   Without them a scene has the height of its screen.
    public init(
        _ scenes: [PageScene], ticked: [PageScene] = [], taller: [PageScene] = [], _ options: Options
    ) {
        self.scenes = scenes
        self.ticked = ticked
        self.taller = taller
        self.options = options
    }

    /// The value of the header `Content-Security-Policy`. The document repeats it, but for who may frame it, which only
    /// a header can say.
    public var contentSecurityPolicy: String {
        let ancestors = Self.safe(options.frameAncestors)
        return policy + "; frame-ancestors" + (ancestors.utf8.isEmpty ? " 'none'" : ancestors)
    }

    private var policy: String {
        "default-src 'none'; style-src 'nonce-" + safeNonce + "'" + mediaSources + "; form-action 'self'" + safeTargets
            + "; base-uri 'none'"
    }

    /// Where images and videos come from, if there are any.
    private var mediaSources: String {
        var sources = ""
        if options.media.contains(where: { $0.address.isOwnPath }) { sources += " 'self'" }
        if options.media.contains(where: { $0.address.isDataAddress }) { sources += " data:" }
        return sources.utf8.isEmpty ? "" : "; img-src" + sources + "; media-src" + sources
    }

    /// Anything that is no source would leave its place in the policy.
    private var safeTargets: String { Self.safe(options.formTargets) }

    private static func safe(_ sources: [String]) -> String {
        var safe = ""
        for target in sources {
            let isSource = target.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "-", ".", ":", "/", "+", "[", "]": true
                default: false
                }
            }
            if isSource, !target.utf8.isEmpty { safe += " " + target }
        }
        return safe
    }

    /// Anything but base64url would leave its place in the policy.
    private var safeNonce: String {
        var safe = String.UnicodeScalarView()
        for scalar in options.nonce.unicodeScalars {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", "_", "=": safe.append(scalar)
            default: continue
            }
        }
        return String(safe)
    }

    /// The extra height of every scene.
    private var extraHeight: Double {
        options.extraBox == nil || scenes.contains { $0[.dialogMask] != nil } ? 0 : ExtraBox.height
    }

    /// The document.
    public var document: String {
        guard let first = scenes.first else { return "" }
        let dark = first.appearance == .dark
        let title = first[.title]?.text?.text ?? first[.login]?.text?.text ?? ""
        var style = PageStyle()
        style.common(first)
        if options.extraBox != nil { style.extraBox() }
        var body = ""
        for (number, scene) in scenes.enumerated() {
            let tall = taller.indices.contains(number) ? taller[number] : nil
            var writer = SceneWriter(scene: scene, taller: tall, number: number, options: options)
            body += writer.write()
            if ticked.indices.contains(number) { writer.styleTick(ticked[number]) }
            style.text += writer.style
        }
        if options.isAnimated { style.animate() }
        style.choose(scenes)
        if options.isCardOnDesktops {
            style.fill(scenes, extra: extraHeight)
            style.card(scenes, extra: extraHeight)
        }
        var text = "<!doctype html>\n<html lang=\"" + first.screen.language.rawValue + "\">\n<head>\n"
        text += "<meta charset=\"utf-8\">\n"
        text += "<meta http-equiv=\"Content-Security-Policy\" content=\"" + policy.escaped + "\">\n"
        text += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1, viewport-fit=cover\">\n"
        text += "<meta name=\"referrer\" content=\"no-referrer\">\n"
        let isBoth = scenes.contains { ($0.appearance == .dark) != dark }
        let schemes = isBoth ? "light dark" : dark ? "dark" : "light"
        text += "<meta name=\"color-scheme\" content=\"" + schemes + "\">\n"
        text += "<title>" + title.escaped + "</title>\n"
        text += "<style nonce=\"" + safeNonce + "\">\n" + style.text + "</style>\n</head>\n<body>\n"
        return text + body + "</body>\n</html>\n"
    }
}

extension String {
    var isDataAddress: Bool { utf8.starts(with: "data:".utf8) }

    /// An absolute path that cannot be anything else: no second slash that would begin a host, nothing to escape.
    var isOwnPath: Bool {
        guard utf8.starts(with: "/".utf8), !utf8.starts(with: "//".utf8) else { return false }
        return unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", "/": true
            default: false
            }
        }
    }

    /// An address of either kind that stays within the quotes of a CSS `url` and within the style sheet.
    var escapedForStyle: String {
        var safe = ""
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0..<0x20, 0x7f...: continue
            case 0x22, 0x27, 0x3c, 0x3e, 0x5c:
                let digits = Array("0123456789ABCDEF".unicodeScalars)
                safe += "%"
                safe.unicodeScalars.append(digits[Int(scalar.value >> 4)])
                safe.unicodeScalars.append(digits[Int(scalar.value & 15)])
            default: safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }

    var escaped: String {
        var safe = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": safe += "&amp;"
            case "<": safe += "&lt;"
            case ">": safe += "&gt;"
            case "\"": safe += "&quot;"
            case "'": safe += "&#39;"
            default: safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }
}
