/// The one table *situation × dialect → code*, from which every answer is made (decision 15).
///
/// One column a table of codes; the columns are in `Columns/`, a file per document.
public enum ResultCodes {
    /// A code of a table, and whether the document has a code for exactly this situation.
    public struct Code: Hashable, Sendable {
        public var code: String
        /// Why this code stands in when the table has none of its own for the situation.
        public var note: String?
    }

    /// What the app had asked for when it ended. Some tables count the same failure twice, once for each.
    public enum Step: String, Hashable, Sendable, CaseIterable {
        /// Who is this phone? Ends with a masked number.
        case prefetch
        /// A token that releases the number, after the page.
        case authorize
        /// A token that can only answer whether a number is this phone's; there is no page.
        case verify
    }

    /// The code for `situation` in `table`, or `nil` where the situation cannot come up there.
    ///
    /// - Parameters:
    ///   - carrier: some codes of the carriers differ by the carrier behind the phone.
    ///   - step: some codes differ by what was asked for; `nil` when nothing had begun yet.
    public static func code(
        for situation: Situation, in table: CodeTable, carrier: Carrier? = nil, step: Step? = nil
    ) -> Code? {
        switch table {
        case .device: Code(code: situation.rawValue)
        case .cmSDK: cmSDK(situation, carrier)
        case .cmPhone: cmPhone(situation, carrier)
        case .cmVerify: cmVerify(situation)
        case .tyrzPlatform: tyrzPlatform(situation, carrier)
        case .tyrzSDK: tyrzSDK(situation)
        case .geyan: geyan(situation, step)
        case .geyanBusiness: oneLogin(situation, carrier, step, unicomToken: "-40204")
        case .geyanMobile: geyanMobile(situation, step)
        case .geyanUnicom: geyanUnicom(situation)
        case .geyanTelecom: geyanTelecom(situation)
        case .geyan3: geyan3(situation, step)
        case .geyan3Business: geyan3Business(situation)
        case .geyanServer: geyanServer(situation)
        case .oneLogin: oneLogin(situation, carrier, step, unicomToken: "-40202")
        case .oneLoginCocoa: oneLoginCocoa(situation)
        case .oneLoginServer: oneLoginServer(situation)
        case .onePassServer: onePassServer(situation)
        case .superID: superID(situation)
        case .camara: camara(situation)
        // Not spoken: the catalogue explains them all the same.
        case .tyrzAuthType, .cmSDKLater, .oneLogin2, .onePass: nil
        }
    }

    /// All situations that end in `code` of `table`. ``uses(of:in:)`` says when, too.
    public static func situations(for code: String, in table: CodeTable) -> [Situation] {
        uses(of: code, in: table).map(\.situation)
    }

    /// What a code may depend on besides the situation.
    package struct Circumstances: Hashable, Sendable {
        package var carrier: Carrier?
        package var step: Step?

        package static let all: [Circumstances] = ([nil] + Carrier.documented.map(Optional.some)).flatMap { carrier in
            ([nil] + Step.allCases.map(Optional.some)).map { Circumstances(carrier: carrier, step: $0) }
        }
    }

    static func exact(_ code: String) -> Code { Code(code: code) }
    static func near(_ code: String, _ note: String) -> Code { Code(code: code, note: note) }
}
