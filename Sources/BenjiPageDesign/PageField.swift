public import BenjiPage

/// A field of a page description as a form shows it: what may be written into it, and what it is called.
///
/// ``all`` names every field that a description has. A test compares it with a page on which none is at its default.
/// The test fails for a field that was added to the description and not here.
public struct PageField: Hashable, Sendable {
    /// The values that a field takes.
    public enum Kind: Hashable, Sendable {
        /// An object that is always there; its fields follow.
        case group
        /// An object that may be missing; its fields follow. It begins as this JSON.
        case part(fresh: String)
        /// Yes or no.
        case flag
        /// A number within these bounds.
        case number(least: Double, most: Double)
        /// One of these words.
        case word([String])
        /// Some of these words, at least so many.
        case words([String], least: Int)
        /// `#rrggbb`, `#rrggbbaa`, or one for light and one for dark.
        case color
        /// A text, or one for each language; whether it may be empty.
        case text(mayBeEmpty: Bool)
        /// An `https` address.
        case address
        /// The name of a picture, view or animation of the app.
        case resource
        /// A list of so many. Its elements' fields follow under `[]`, or else its elements are texts. One begins as
        /// this JSON.
        case list(least: Int, most: Int, fresh: String)
    }

    /// From the description's root, such as `logo.image.width` or `terms.items[].url`.
    public var path: String
    public var kind: Kind
    /// Whether the description need not have it and then does not write it.
    public var isOptional: Bool
    /// Its name, in Chinese and English.
    public var label: LocalizedText

    /// Every field, an object before its members.
    public static let all: [PageField] = {
        var list = PageFieldList()
        list.addDescription()
        return list.fields
    }()

    /// The field as JSON, for a form that does not speak Swift.
    public var json: PageJSON {
        var members = [PageJSON.Member("path", .string(path))]
        func add(_ name: String, _ value: PageJSON) { members.append(PageJSON.Member(name, value)) }
        func number(_ value: Double) -> PageJSON { PageJSON.number(value) ?? .null }
        func bounds(_ least: Double, _ most: Double) {
            add("least", number(least))
            add("most", number(most))
        }
        switch kind {
        case .group: add("kind", .string("group"))
        case .part(let fresh):
            add("kind", .string("part"))
            add("fresh", .string(fresh))
        case .flag: add("kind", .string("flag"))
        case .number(let least, let most):
            add("kind", .string("number"))
            bounds(least, most)
        case .word(let words):
            add("kind", .string("word"))
            add("words", .array(words.map { .string($0) }))
        case .words(let words, let least):
            add("kind", .string("words"))
            add("words", .array(words.map { .string($0) }))
            add("least", number(Double(least)))
        case .color: add("kind", .string("color"))
        case .text(let mayBeEmpty):
            add("kind", .string("text"))
            add("mayBeEmpty", .bool(mayBeEmpty))
        case .address: add("kind", .string("address"))
        case .resource: add("kind", .string("resource"))
        case .list(let least, let most, let fresh):
            add("kind", .string("list"))
            bounds(Double(least), Double(most))
            add("fresh", .string(fresh))
        }
        if isOptional { add("optional", .bool(true)) }
        add("zh", .string(label.simplifiedChinese))
        add("en", .string(label.english))
        return .object(members)
    }
}

/// Writes the list down.
private struct PageFieldList {
    var fields: [PageField] = []
    private var path = ""

    private mutating func add(
        _ name: String, _ kind: PageField.Kind, _ chinese: String, _ english: String, optional: Bool = false
    ) {
        fields.append(
            PageField(
                path: path.utf8.isEmpty ? name : path + "." + name, kind: kind, isOptional: optional,
                label: LocalizedText(chinese, english)))
    }

    private mutating func inside(_ name: String, _ body: (inout PageFieldList) -> Void) {
        let outer = path
        path = path.utf8.isEmpty ? name : path + "." + name
        body(&self)
        path = outer
    }

    private mutating func group(
        _ name: String, _ chinese: String, _ english: String, _ body: (inout PageFieldList) -> Void
    ) {
        add(name, .group, chinese, english)
        inside(name, body)
    }

    private mutating func part(
        _ name: String, _ chinese: String, _ english: String, fresh: String, _ body: (inout PageFieldList) -> Void
    ) {
        add(name, .part(fresh: fresh), chinese, english, optional: true)
        inside(name, body)
    }

    private mutating func flag(_ name: String, _ chinese: String, _ english: String) {
        add(name, .flag, chinese, english)
    }

    private mutating func color(_ name: String, _ chinese: String, _ english: String) {
        add(name, .color, chinese, english)
    }

    private mutating func number(
        _ name: String, _ chinese: String, _ english: String, _ least: Double, _ most: Double, optional: Bool = false
    ) {
        add(name, .number(least: least, most: most), chinese, english, optional: optional)
    }

    private mutating func cornerRadius() { number("cornerRadius", "圆角", "Corner radius", 0, 1000) }

    private mutating func hidden() { flag("hidden", "隐藏", "Hidden") }

    private mutating func font() {
        group("font", "字体", "Font") {
            $0.number("size", "字号", "Size", 1, 200)
            $0.flag("bold", "粗体", "Bold")
            $0.add("typeface", .resource, "字体名", "Typeface", optional: true)
        }
    }

    /// Text, font and colour of a styled text, in the object that has it.
    private mutating func styledText() {
        add("text", .text(mayBeEmpty: false), "文字", "Text")
        font()
        color("color", "文字颜色", "Text colour")
    }

    private mutating func placement() {
        func offsets(_ list: inout PageFieldList) {
            list.number("top", "距上", "Top", 0, 10_000, optional: true)
            list.number("center", "距中线", "From the middle", -10_000, 10_000)
            list.number("left", "距左", "Left", 0, 10_000, optional: true)
        }
        group("placement", "位置", "Place") {
            $0.group("portrait", "竖屏", "Upright", offsets)
            $0.group("landscape", "横屏", "On its side", offsets)
            $0.number("width", "宽", "Width", 0, 10_000, optional: true)
            $0.number("height", "高", "Height", 0, 10_000, optional: true)
        }
    }

    private mutating func imageFields() {
        add("name", .resource, "名称", "Name")
        number("width", "宽", "Width", 1, 4096)
        number("height", "高", "Height", 1, 4096)
    }

    private mutating func image(
        _ name: String, _ chinese: String, _ english: String, _ width: Int = 24, _ height: Int = 24
    ) {
        part(name, chinese, english, fresh: "{\"name\":\"\(name)\",\"width\":\(width),\"height\":\(height)}") {
            $0.imageFields()
        }
    }

    private mutating func slotFields() {
        add("name", .resource, "名称", "Name")
        number("width", "宽", "Width", 0, 4096)
        number("height", "高", "Height", 0, 4096)
    }

    private mutating func slot(_ name: String, _ chinese: String, _ english: String, side: Int = 0) {
        part(name, chinese, english, fresh: "{\"name\":\"\(name)\",\"width\":\(side),\"height\":\(side)}") {
            $0.slotFields()
        }
    }

    private mutating func title(_ chinese: String, _ english: String) {
        part("title", chinese, english, fresh: "{}") { $0.styledText() }
    }

    private mutating func back() {
        group("back", "返回按钮", "Back button") {
            $0.hidden()
            $0.image("image", "图片", "Picture")
            $0.placement()
        }
    }

    mutating func addDescription() {
        addPresentation()
        addControls()
        addTerms()
        group("loading", "等待", "While logging in") {
            $0.slot("view", "应用自己的等待视图", "The app's own view", side: 44)
            $0.color("mask", "遮罩颜色", "Colour over the page")
        }
        group("webPage", "条款页", "Page of the terms") {
            $0.flag("barHidden", "隐藏导航栏", "No navigation bar")
            $0.title("标题", "Title")
            $0.color("color", "导航栏颜色", "Colour of the bar")
            $0.back()
        }
        addPopup()
        addDialog()
        add(
            "custom",
            .list(
                least: 0, most: 32,
                fresh: """
                    {"view":{"name":"wechat","width":44,"height":44},\
                    "label":{"zh-Hans":"微信登录","zh-Hant":"微信登入","en":"Log in with WeChat"}}
                    """
            ), "应用自己的视图", "The app's own views")
        inside("custom[]") {
            $0.group("view", "视图", "View") { $0.slotFields() }
            $0.add("label", .text(mayBeEmpty: false), "读屏文字", "Said to screen readers", optional: true)
            $0.placement()
        }
    }

    private mutating func addPresentation() {
        group("presentation", "呈现方式", "How it comes") {
            $0.add("style", .word(["modal", "push"]), "方式", "Style")
            $0.add("coverage", .word(["fullScreen", "overFullScreen", "pageSheet", "formSheet"]), "覆盖范围", "Covers")
            $0.flag("animated", "动画", "Animated")
            $0.slot("arrival", "出现动画", "Animation for coming")
            $0.slot("departure", "消失动画", "Animation for going")
            $0.add(
                "orientations",
                .words(["portrait", "portraitUpsideDown", "landscapeLeft", "landscapeRight"], least: 1), "方向",
                "Orientations")
            $0.add("appearance", .word(["automatic", "light", "dark"]), "外观", "Appearance")
        }
        group("statusBar", "状态栏", "Status bar") {
            $0.add("style", .word(["automatic", "dark", "light"]), "文字", "Text")
        }
        group("navigationBar", "导航栏", "Navigation bar") {
            $0.hidden()
            $0.title("标题", "Title")
            $0.color("color", "颜色", "Colour")
            $0.back()
            $0.slot("right", "右侧视图", "View at the right", side: 44)
        }
        group("background", "背景", "Background") {
            $0.color("color", "颜色", "Colour")
            $0.image("image", "图片", "Picture", 390, 844)
            $0.image("landscapeImage", "横屏图片", "Picture on its side", 844, 390)
            $0.slot("gif", "动图", "GIF")
            $0.slot("video", "视频", "Film")
            $0.flag("repeats", "循环播放", "Begins again")
        }
    }

    private mutating func addControls() {
        group("logo", "标志", "Logo") {
            $0.hidden()
            $0.group("image", "图片", "Picture") { $0.imageFields() }
            $0.cornerRadius()
            $0.placement()
        }
        for (name, chinese, english) in [("number", "号码", "Number"), ("slogan", "运营商标语", "Carrier's line")] {
            group(name, chinese, english) {
                $0.font()
                $0.color("color", "颜色", "Colour")
                $0.placement()
            }
        }
        group("loginButton", "登录按钮", "Login button") {
            $0.styledText()
            $0.group("fills", "底色", "Colours") {
                $0.color("normal", "正常", "Usual")
                $0.color("disabled", "不可用", "Disabled")
                $0.color("highlighted", "按下", "Pressed")
            }
            $0.group("images", "图片", "Pictures") {
                $0.image("normal", "正常", "Usual", 300, 48)
                $0.image("disabled", "不可用", "Disabled", 300, 48)
                $0.image("highlighted", "按下", "Pressed", 300, 48)
            }
            $0.cornerRadius()
            $0.flag("needsTick", "勾选后才可用", "Needs the tick")
            $0.placement()
        }
        group("switchButton", "切换账号", "Another account") {
            $0.hidden()
            $0.styledText()
            $0.color("fill", "底色", "Background")
            $0.placement()
        }
    }

    private mutating func addTerms() {
        group("terms", "条款", "Terms") {
            $0.add(
                "items",
                .list(
                    least: 0, most: 16,
                    fresh:
                        "{\"title\":{\"zh-Hans\":\"《用户协议》\",\"zh-Hant\":\"《使用者協議》\",\"en\":\"User "
                        + "Agreement\"},\"url\":\"https://app.example/agreement\"}"
                ), "应用的条款", "The app's terms")
            $0.inside("items[]") {
                $0.add("title", .text(mayBeEmpty: false), "标题", "Title")
                $0.add("url", .address, "网址", "Address")
                $0.number("index", "次序", "Place", -1000, 1000)
            }
            $0.add("words", .list(least: 4, most: 32, fresh: "\"、\""), "连接文字", "Words between")
            $0.flag("quotesCarrierTerms", "运营商条款加《》", "《》 around the carrier's")
            $0.add("alignment", .word(["left", "center", "right"]), "对齐", "Alignment")
            $0.font()
            $0.color("color", "文字颜色", "Text colour")
            $0.color("linkColor", "链接颜色", "Link colour")
            $0.color("pressedLinkColor", "按下时", "While pressed")
            $0.flag("underlined", "下划线", "Underlined")
            $0.number("lineHeight", "行高", "Line height", 1, 400, optional: true)
            $0.placement()
            $0.group("tick", "勾选框", "Tick") {
                $0.flag("initiallySet", "默认勾选", "Set at first")
                $0.number("size", "大小", "Size", 1, 200)
                $0.number("gap", "与文字间距", "Gap to the text", 0, 200)
                $0.image("setImage", "勾选图片", "Picture when set", 16, 16)
                $0.image("unsetImage", "未勾选图片", "Picture when not", 16, 16)
            }
            $0.group("hint", "未勾选提示", "Hint without a tick") {
                $0.flag("shown", "显示", "Shown")
                $0.add("text", .text(mayBeEmpty: false), "文字", "Text")
                $0.number("offset", "向下偏移", "Below the middle", -10_000, 10_000)
            }
            $0.add("shake", .word(["none", "horizontal", "vertical"]), "抖动", "Shakes")
        }
    }

    private mutating func addPopup() {
        part("popup", "弹窗", "Popup", fresh: "{\"cornerRadius\":14,\"closesOnOutsideTap\":true}") {
            $0.add("position", .word(["center", "bottom"]), "停靠", "Stands")
            $0.placement()
            $0.add(
                "corners", .words(["topLeft", "topRight", "bottomLeft", "bottomRight"], least: 0), "圆角位置",
                "Round corners")
            $0.cornerRadius()
            $0.add(
                "animation", .word(["coverVertical", "flipHorizontal", "crossDissolve", "custom"]), "出现动画", "Appears by"
            )
            $0.slot("animationSlot", "应用自己的动画", "The app's own animation")
            $0.group("close", "关闭按钮", "Close button") {
                $0.image("image", "图片", "Picture")
                $0.number("top", "距上", "Top", 0, 1000)
                $0.number("right", "距右", "Right", 0, 1000)
                $0.number("width", "宽", "Width", 0, 200, optional: true)
                $0.number("height", "高", "Height", 0, 200, optional: true)
            }
            $0.flag("closesOnOutsideTap", "点外部关闭", "A tap beside it closes it")
            $0.color("mask", "遮罩颜色", "Colour behind it")
            $0.slot("maskSlot", "应用自己的遮罩", "The app's own view behind it")
        }
    }

    private mutating func addDialog() {
        part("consentDialog", "二次确认弹窗", "Consent dialog", fresh: "{}") {
            for (name, chinese, english, fill) in [
                ("title", "标题", "Title", ""), ("agree", "同意按钮", "Agree", "agreeFill"),
                ("disagree", "不同意按钮", "Disagree", "disagreeFill"),
            ] {
                $0.group(name, chinese, english) { $0.styledText() }
                if !fill.utf8.isEmpty { $0.color(fill, chinese + "底色", english + ": background") }
            }
            $0.color("color", "底色", "Colour")
            $0.cornerRadius()
            $0.flag("atBottom", "靠底部", "At the bottom")
            $0.flag("closesOnOutsideTap", "点外部关闭", "A tap beside it closes it")
            $0.placement()
        }
    }
}
