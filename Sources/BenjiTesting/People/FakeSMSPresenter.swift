public import Benji
public import BenjiClient
public import BenjiProtocol

/// A page of a login by SMS without a screen: does at once what its person is told to do.
public actor FakeSMSPresenter: SMSPresenter {
    /// The behaviour of the person in front of the page.
    public enum Person: Sendable {
        /// Has a code sent to a number, and types digits until one of them is taken; then leaves.
        case types(number: String, codes: [String])
        case cancels
        case switchesAccount
        /// Nothing, until the page is taken away.
        case waits
    }

    private let person: Person
    private let clock: any WallClock
    /// How often the page was shown.
    public private(set) var shownCount = 0

    /// - Parameter clock: the phone's; gives the times of showing, ticking and tapping, a millisecond apart.
    public init(
        _ person: Person = .types(number: "13800000000", codes: [ScriptedCarrier.smsDigits]),
        clock: any WallClock = SystemWallClock()
    ) {
        self.person = person
        self.clock = clock
    }

    /// As the page that Benji draws: a person who leaves after a refusal ends it with that.
    public func logIn(by login: SMSLogin) async -> Result<LoginToken, BenjiError> {
        shownCount += 1
        switch person {
        case .cancels: return .failure(BenjiError(.userCancelled, "the person closed the page"))
        case .switchesAccount: return .failure(BenjiError(.switchAccount, "the person chose another way to log in"))
        case .waits:
            let (stream, _) = AsyncStream.makeStream(of: Never.self)
            for await _ in stream {}
            return .failure(BenjiError(.userCancelled, "the page was taken away"))
        case .types(let number, let codes):
            var last = BenjiError(.userCancelled, "the person closed the page")
            do throws(BenjiError) {
                let code = try await login.sendCode(to: number)
                for digits in codes {
                    do throws(BenjiError) {
                        return .success(
                            try await login.logIn(
                                with: digits, of: code, consent: Self.consent(to: code, at: clock.now)))
                    } catch { last = error }
                }
            } catch { last = error }
            return .failure(last)
        }
    }

    /// A correct yes to a login by `code`, as a page in Chinese gives it.
    public static func consent(to code: SMSCode, at shown: Timestamp) -> PageConsent {
        PageConsent(
            content: ConsentContent(
                drawnBy: .benji, language: "zh-Hans", policyVersion: code.policyVersion,
                texts: [
                    .init(.number, ConsentContent.numberPlaceholder), .init(.loginButton, "登录"),
                    .init(.terms, "登录即同意《用户协议》"),
                ], links: [.init(title: "《用户协议》", url: "https://app.example/agreement")], initiallyTicked: false),
            sceneDigest: nil, shownAt: shown, tickedAt: shown + .milliseconds(1), tappedAt: shown + .milliseconds(2))
    }
}
