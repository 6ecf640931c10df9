@_spi(Server) public import BenjiProtocol

/// The behaviour of a ``ScriptedCarrier`` for a phone number: its last four digits choose.
///
/// | last four digits | what happens |
/// |---|---|
/// | `00xx` | both steps go well |
/// | `10nn` | the prefetch ends in ``Ending`` number nn |
/// | `11ss` | the prefetch is answered after ss seconds |
/// | `20nn` | the prefetch goes well, the authorize ends in ``Ending`` number nn |
/// | `21ss` | the prefetch goes well, the authorize is answered after ss seconds |
///
/// The first digits name the carrier, by the ranges of mainland China's mobile numbers. `13800001024` is a number of
/// China Mobile; its prefetch finds a wrong bundle id.
public struct MagicNumber: Hashable, Sendable {
    /// Eleven digits that start with 1.
    public let digits: String
    public let carrier: Carrier
    public let prefetch: Step
    public let authorize: Step

    /// The course of one request.
    public struct Step: Hashable, Sendable {
        /// Until the answer comes.
        public var delay: Duration
        public var ending: Ending

        public init(after delay: Duration = .zero, _ ending: Ending = .success) {
            self.delay = delay
            self.ending = ending
        }
    }

    /// `nil` unless `digits` are a mobile number of mainland China, of one of the three carriers, whose last four
    /// digits are in the table above.
    public init?(_ digits: String) {
        // Numbers move between carriers, so only a test may tell them by the range.
        guard let carrier = MainlandMobile.assignee(of: Array(digits.utf8)), Carrier.documented.contains(carrier),
            let tail = Int(digits.suffix(2))
        else { return nil }
        let step: Step?
        switch digits.suffix(4).prefix(2) {
        case "00": step = Step()
        case "10", "20": step = Ending(rawValue: tail).map { Step($0) }
        case "11", "21": step = Step(after: .seconds(tail))
        default: step = nil
        }
        guard let step else { return nil }
        let delaysAuthorize = digits.suffix(4).hasPrefix("2")
        self.digits = digits
        self.carrier = carrier
        prefetch = delaysAuthorize ? Step() : step
        authorize = delaysAuthorize ? step : Step()
    }

    /// As a phone learns it: `138****0000`.
    public var masked: String { digits.prefix(3) + "****" + digits.suffix(4) }
}
