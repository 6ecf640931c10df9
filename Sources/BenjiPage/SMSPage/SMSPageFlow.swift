@_spi(Server) import BenjiValues

/// Decides what a page of a login by SMS does: an event in, actions out. It knows no screen, no clock and no network.
///
/// ```
/// waiting ── appeared ──> open ── send ──> sending ── codeSent, refused ──> open
///                           ├──── login ──> submitted ── refused ──> open
///                           └──── back, another way, gone ──> closed
/// ```
///
/// Nothing leaves the phone without the tick, not even the number. A code belongs to the number that it was asked for:
/// typing another one forgets it.
public struct SMSPageFlow<Measure: TextMeasuring> {
    /// How far the page is.
    public enum Phase: Hashable, Sendable {
        /// Not on screen yet.
        case waiting
        /// The person may do something.
        case open
        /// A code is being asked for.
        case sending
        /// The code is being shown to the server.
        case submitted
        /// Nothing happens any more.
        case closed
    }

    /// The app's description of its pages.
    public let page: PageDescription
    /// Where it is shown.
    public private(set) var screen: PageScreen
    public private(set) var state: SMSPageState
    public private(set) var phase = Phase.waiting
    /// The boxes that are on the screen now.
    public private(set) var scene: PageScene
    /// Rules that the page breaks on this screen as it first appears.
    public private(set) var findings: [PageFinding] = []
    /// The boxes that were on the screen when the person agreed.
    public private(set) var agreedScene: PageScene?

    private let strictness: PageStrictness
    private let measure: Measure
    private var number = ""
    private var code = ""
    /// For which number a code is being asked.
    private var askedFor: String?
    /// To which number the code that is out was sent.
    private var sentTo: String?
    private var triesLeft: Int?
    /// When the next code may be asked for, in milliseconds since 1970.
    private var sendsAgainAt: Int64 = 0
    private var isCounting = false
    private var shown: Int64 = 0
    private var ticked: Int64?
    private var latest: Int64 = 0

    /// Seconds between two codes. The server allows five in a minute; a message takes some seconds to come.
    public static var pause: Int { 60 }

    /// - Throws: the first thing in page or screen that reading would refuse.
    public init(
        _ page: PageDescription, screen: PageScreen, strictness: PageStrictness, measuredBy measure: Measure
    ) throws(PageError) {
        self.page = page
        self.screen = screen
        self.strictness = strictness
        self.measure = measure
        state = SMSPageState()
        scene = try PageScene(bySMS: page, state: state, screen: screen, measuredBy: measure)
        findings = judge()
    }

    /// Why the page may not be used as it stands; ask before showing it.
    public var refusal: PageRefusal? { strictness.refusal(findings) }

    /// The page's content, in words.
    ///
    /// - Parameter policyVersion: as it came with the code.
    public func content(policyVersion: String) -> PageContent {
        PageContent(bySMS: page, policyVersion: policyVersion, language: screen.language)
    }

    /// Takes an event.
    ///
    /// - Parameter time: milliseconds since 1970 by the device's clock. A clock that was put back stands still here.
    public mutating func handle(_ event: SMSPageEvent, at time: Int64) -> [SMSPageAction] {
        latest = max(latest, time)
        guard phase != .closed else { return [] }
        switch event {
        case .appeared: return appear()
        case .screenChanged(let screen): return change(screen)
        case .gone: return leave()
        case .secondPassed: return count()
        // Input is ignored while submitted: the server gets the content that the person agreed to.
        case .numberTyped(let text): return phase == .submitted ? [] : type(number: text)
        case .codeTyped(let text): return phase == .submitted ? [] : type(code: text)
        case .codeSent(let digits, let tries): return phase == .sending ? codeSent(digits, tries) : []
        case .refused(let refusal): return refused(refusal)
        case .backTapped: return phase == .waiting ? [] : end(.cancelled(after: lastRefusal))
        case .linkTapped(let index): return phase == .waiting ? [] : open(index)
        default: return phase == .open ? use(event) : []
        }
    }

    /// Answers the events of an open page.
    private mutating func use(_ event: SMSPageEvent) -> [SMSPageAction] {
        switch event {
        case .sendTapped: return send()
        case .tickTapped: return tapTick()
        case .loginPressed(let isPressed):
            state.isLoginPressed = isPressed
            return redraw()
        case .loginTapped: return logIn()
        case .switchTapped: return end(.switchAccount)
        default: return []
        }
    }

    // MARK: - Coming, turning and going

    private mutating func appear() -> [SMSPageAction] {
        // Coming back from the terms is no second showing.
        guard phase == .waiting else { return [] }
        if let refusal { return end(.refused(refusal)) }
        phase = .open
        shown = latest
        return [.draw(scene), .focus(.numberField)]
    }

    private mutating func change(_ screen: PageScreen) -> [SMSPageAction] {
        // A screen that no page fits on is one in the middle of a change.
        guard screen != self.screen, (try? screen.json()) != nil else { return [] }
        self.screen = screen
        let drawing = redraw()
        findings = judge()
        return drawing
    }

    private mutating func leave() -> [SMSPageAction] {
        phase = .closed
        return [.decide(.cancelled(after: lastRefusal))]
    }

    /// The last refusal, while the page shows it.
    private var lastRefusal: SMSPageRefusal? {
        switch state.message {
        case .refused(let refusal): refusal
        case .codeWrong: .codeWrong
        default: nil
        }
    }

    private mutating func end(_ decision: SMSPageDecision) -> [SMSPageAction] {
        phase = .closed
        return [.decide(decision), .close]
    }

    // MARK: - Input

    private mutating func type(number text: String) -> [SMSPageAction] {
        number = SMSPageNumber.normalized(text)
        guard let sentTo, !sentTo.utf8.elementsEqual(number.utf8) else {
            // The refusal was about the previous number.
            if sentTo == nil, case .refused = state.message { return forgetMessage(nil) }
            return forgetMessage(.numberMissing)
        }
        forgetCode()
        sendsAgainAt = 0
        state.secondsToWait = 0
        state.message = nil
        return redraw()
    }

    private mutating func type(code text: String) -> [SMSPageAction] {
        code = SMSPageNumber.digits(text)
        return forgetMessage(nil)
    }

    /// Removes a message about a field when the person types on.
    private mutating func forgetMessage(_ only: SMSPageMessage?) -> [SMSPageAction] {
        guard let message = state.message, message.isProblem, only == nil || only == message else { return [] }
        state.message = nil
        return redraw()
    }

    private mutating func forgetCode() {
        sentTo = nil
        triesLeft = nil
        state.isCodeSent = false
    }

    // MARK: - Tick

    private mutating func tapTick() -> [SMSPageAction] {
        state.isTicked.toggle()
        ticked = state.isTicked ? latest : nil
        if state.message == .tickMissing { state.message = nil }
        return redraw()
    }

    private mutating func sayTickIsMissing() -> [SMSPageAction] {
        let actions = say(.tickMissing)
        return page.terms.shake == .none ? actions : actions + [.shakeTerms(page.terms.shake)]
    }

    // MARK: - The code

    private mutating func send() -> [SMSPageAction] {
        guard state.secondsToWait == 0 else { return [] }
        if let refusal { return end(.refused(refusal)) }
        guard SMSPageNumber.isComplete(number) else { return [.focus(.numberField)] + say(.numberMissing) }
        guard state.isTicked else { return sayTickIsMissing() }
        phase = .sending
        askedFor = number
        state.isSending = true
        state.message = nil
        return redraw() + [.sendCode(to: number)]
    }

    private mutating func codeSent(_ digits: Int, _ tries: Int?) -> [SMSPageAction] {
        phase = .open
        state.isSending = false
        // Another number was typed meanwhile: the code does not log in the number on the page.
        guard let askedFor, askedFor.utf8.elementsEqual(number.utf8) else {
            forgetCode()
            return redraw()
        }
        state.isCodeSent = true
        state.digits = digits
        sentTo = number
        triesLeft = tries
        sendsAgainAt = latest + Int64(Self.pause) * 1000
        code = ""
        return [.showCode("")] + count() + [.focus(.codeField)] + say(.codeSent)
    }

    /// The seconds come from the clock, so that time in the background counts.
    private mutating func count() -> [SMSPageAction] {
        let left = max(0, Int((sendsAgainAt - latest + 999) / 1000))
        let wasCounting = isCounting
        isCounting = left > 0
        guard left != state.secondsToWait || isCounting || wasCounting else { return [] }
        state.secondsToWait = left
        return redraw() + (isCounting ? [.endSecondLater] : [])
    }

    // MARK: - Logging in

    private mutating func logIn() -> [SMSPageAction] {
        guard scene[.login]?.isEnabled == true else { return [] }
        // As the page is now: it may have been turned since it appeared.
        if let refusal { return end(.refused(refusal)) }
        state.isLoginPressed = false
        guard state.isCodeSent else {
            return SMSPageNumber.isComplete(number)
                ? say(.codeNotSent) : [.focus(.numberField)] + say(.numberMissing)
        }
        guard code.utf8.count == state.digits else {
            return [.focus(.codeField)] + say(.codeMissing(digits: state.digits))
        }
        guard state.isTicked, let ticked else { return sayTickIsMissing() }
        phase = .submitted
        state.message = nil
        agreedScene = scene
        state.isLoading = true
        let announcement = SMSPageAction.announce(PageStrings.loading[screen.language])
        return redraw() + [
            announcement, .logIn(digits: code, times: PageTimes(shown: shown, ticked: ticked, tapped: latest)),
        ]
    }

    private mutating func refused(_ refusal: SMSPageRefusal) -> [SMSPageAction] {
        guard phase == .sending || phase == .submitted else { return [] }
        let wasLogin = phase == .submitted
        phase = .open
        state.isSending = false
        state.isLoading = false
        guard wasLogin else {
            // It speaks of the number that was asked for, and another one stands there now.
            return askedFor?.utf8.elementsEqual(number.utf8) == true ? say(.refused(refusal)) : redraw()
        }
        var said = SMSPageMessage.refused(refusal)
        if refusal == .codeWrong {
            triesLeft = triesLeft.map { max(0, $0 - 1) }
            said = triesLeft == 0 ? .refused(.triesExceeded) : .codeWrong(triesLeft: triesLeft)
        }
        if refusal.endsCode || said == .refused(.triesExceeded) {
            // Another code may be asked for at once: the person has waited for this one already.
            forgetCode()
            sendsAgainAt = 0
            state.secondsToWait = 0
        }
        let next: [SMSPageAction] = state.isCodeSent ? [.focus(.codeField)] : []
        // A code that may still be right stays, so that the person need not type it again.
        guard refusal == .codeWrong || !state.isCodeSent else { return next + say(said) }
        code = ""
        return [.showCode("")] + next + say(said)
    }

    private func open(_ index: Int) -> [SMSPageAction] {
        var links: [PageTermsLink] = []
        for piece in page.terms.pieces(nil, screen.language) {
            if let url = piece.url { links.append(PageTermsLink(title: piece.text, url: url, item: piece.item)) }
        }
        return links.indices.contains(index) ? [.openTerms(links[index])] : []
    }

    // MARK: - Drawing and judging

    private mutating func say(_ message: SMSPageMessage) -> [SMSPageAction] {
        state.message = message
        return redraw() + [.announce(message.text(on: page, in: screen.language))]
    }

    private mutating func redraw() -> [SMSPageAction] {
        scene = PageScene(validBySMS: page, state: state, screen: screen, measuredBy: measure)
        return [.draw(scene)]
    }

    private func judge() -> [PageFinding] {
        let first = SMSPageState()
        let untouched =
            state == first
            ? scene : PageScene(validBySMS: page, state: first, screen: screen, measuredBy: measure)
        return PageJudge(.current).findings(bySMS: untouched)
    }
}

/// The person's input in the fields for a number and a code.
enum SMSPageNumber {
    /// Digits, and a `+` before them; full-width digits as the usual ones, without spaces and dashes.
    static func normalized(_ text: String) -> String {
        var kept = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let digit = digit(scalar) {
                kept.append(digit)
            } else if (scalar == "+" || scalar == "＋") && kept.isEmpty {
                kept.append("+")
            }
        }
        return String(kept)
    }

    /// The digits alone.
    static func digits(_ text: String) -> String {
        var kept = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { if let digit = digit(scalar) { kept.append(digit) } }
        return String(kept)
    }

    /// The form of a mobile number of mainland China, or a country's code after `+` or `00` and at most fifteen digits
    /// in all. The server knows the ranges.
    static func isComplete(_ number: String) -> Bool {
        let bytes = Array(number.utf8)
        if bytes.first == UInt8(ascii: "+") { return (8...16).contains(bytes.count) }
        if bytes.starts(with: "00".utf8) { return (9...17).contains(bytes.count) }
        return MainlandMobile.hasForm(bytes)
    }

    private static func digit(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0x30...0x39: scalar
        case 0xff10...0xff19: Unicode.Scalar(scalar.value - 0xff10 + 0x30)
        default: nil
        }
    }
}
