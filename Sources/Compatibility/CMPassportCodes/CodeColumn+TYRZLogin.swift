public import BenjiProtocol

/// The codes of TYRZLogin's document, §4.2.
extension CodeColumn {
    /// The SDK's codes for the app.
    public static let tyrzSDK = CodeColumn { situation, _, _ in tyrzSDKCode(situation) }

    private static func tyrzSDKCode(_ situation: Situation) -> Code {
        switch situation {
        case .success: exact("103000")
        case .notConfigured: exact("102302")
        case .invalidArgument: exact("102208")
        case .parameterMissing, .appIDMissing: exact("102203")
        case .noNetwork: exact("102101")
        case .cellularDataOff: exact("102103")
        case .noSIM: exact("200002")
        case .timedOut: exact("102507")
        case .networkFailure, .nameNotResolved, .connectionRefused: exact("102102")
        case .userCancelled: exact("102301")
        case .switchAccount, .cancelledByApp, .pageDismissedByApp:
            near("102301", "the document knows one kind of cancelling")
        case .bundleMismatch: exact("200009")
        case .addressUnknown, .addressStale, .addressAmbiguous, .subscriberUnsupported, .carrierUnsupported:
            exact("102109")
        default: near("102102", "the table's widest error")
        }
    }
}
