/// The one table *situation × dialect → code*, from which every answer is made (decision 15).
public enum ResultCodes {
    /// A code of a table, and whether the document has a code for exactly this situation.
    public struct Code: Hashable, Sendable {
        public var code: String
        /// Why this code stands in when the table has none of its own for the situation.
        public var note: String?
    }

    /// The code for `situation` in `table`, or `nil` where the situation cannot come up there.
    ///
    /// - Parameter carrier: some codes of the carriers differ by the carrier behind the phone.
    public static func code(for situation: Situation, in table: CodeTable, carrier: Carrier? = nil) -> Code? {
        switch table {
        case .device: Code(code: situation.rawValue)
        case .cmSDK: cmSDK(situation, carrier)
        case .cmPhone: cmPhone(situation, carrier)
        case .cmVerify: cmVerify(situation)
        case .tyrzPlatform: tyrzPlatform(situation, carrier)
        case .tyrzSDK: tyrzSDK(situation)
        case .tyrzAuthType: nil
        }
    }

    /// All situations that end in `code` of `table`: what `benji explain` shows as "here it means".
    public static func situations(for code: String, in table: CodeTable) -> [Situation] {
        Situation.allCases.filter { situation in
            ([nil] + Carrier.allCases.map { $0 }).contains {
                Self.code(for: situation, in: table, carrier: $0)?.code == code
            }
        }
    }

    private static func exact(_ code: String) -> Code { Code(code: code) }
    private static func near(_ code: String, _ note: String) -> Code { Code(code: code, note: note) }

    private static func gatewayFailure(_ carrier: Carrier?) -> String {
        switch carrier {
        case .unicom: "105001"
        case .mobile, nil: "105002"
        case .telecom: "105003"
        }
    }

    /// Document 000 §6.1.
    private static func cmSDK(_ situation: Situation, _ carrier: Carrier?) -> Code {
        switch situation {
        case .success: exact("103000")
        case .notConfigured: exact("200030")
        case .invalidArgument: exact("200026")
        case .noNetwork: exact("200022")
        case .cellularDataOff: exact("200027")
        case .noSIM: exact("200048")
        case .timedOut: exact("200023")
        case .networkFailure: exact("200028")
        case .tlsFailure: near("200028", "the document does not tell certificates from other network errors")
        case .malformedResponse: exact("200021")
        case .userCancelled: exact("200020")
        case .switchAccount: near("200020", "this generation of the SDK has no button to switch accounts")
        case .cancelledByApp: near("200020", "the document knows only the person's cancelling")
        case .alreadyRunning: near("200025", "the document has no code for a second call while one runs")
        case .pageFailed: exact("200042")
        case .prefetchMissing:
            near("200026", "the document asks for a valid scrip before authorizing, without a code of its own")
        case .deviceKeyUnavailable: near("200025", "device keys are newer than the document")
        case .addressUnknown, .addressStale, .addressAmbiguous: exact("200010")
        case .subscriberUnsupported, .carrierUnsupported:
            carrier == .telecom ? exact("200039") : near("200010", "no code for an unsupported carrier or card")
        case .bundleMismatch: exact("200009")
        case .capabilityMissing: exact("200041")
        case .appNotAllowed: exact("105302")
        case .appUnknown, .appSuspended, .appKeyWrong:
            near("200041", "the SDK's table has no code of its own for a refused app")
        case .malformedRequest, .parameterMissing, .parameterInvalid: exact("200026")
        case .consentMissing, .consentInvalid: near("200042", "without the page there is no token")
        case .scripInvalid, .scripExpired, .scripReused, .scripStolen, .subscriptionMismatch, .subscriptionChanged:
            near("200010", "the document's SDK table has no code for a refused scrip")
        case .storeUnavailable, .overloaded, .internalError: exact("200047")
        default: near("200025", "newer than the document")
        }
    }

    /// Document 000 §6.2.
    private static func cmPhone(_ situation: Situation, _ carrier: Carrier?) -> Code {
        switch situation {
        case .success: exact("103000")
        case .signWrong: exact("103101")
        case .signMissing: exact("103401")
        case .signAlgorithmMismatch:
            near("103101", "the algorithm is pinned per app; the document lets the caller choose")
        case .bundleMismatch: exact("103102")
        case .addressUnknown, .addressStale, .addressAmbiguous: exact("103111")
        case .subscriberUnsupported: near(gatewayFailure(carrier), "the number could not be obtained")
        case .carrierUnsupported:
            switch carrier {
            case .telecom: exact("105012")
            case .unicom: exact("105013")
            case .mobile, nil: exact("105002")
            }
        case .malformedRequest, .methodNotAllowed, .notFound, .bodyTooLarge: exact("103112")
        case .parameterMissing, .parameterInvalid: exact("103414")
        case .versionUnsupported: near("103414", "the version is a parameter with one allowed value")
        case .tokenMissing: exact("103811")
        case .tokenMalformed, .tokenWrongApp: exact("103113")
        case .tokenUnknown, .tokenExpired, .tokenSpent: exact("104201")
        case .subscriptionChanged: near("104201", "the SIM or the owner changed, which ends the token")
        case .tokenWrongPurpose: exact("103810")
        case .appUnknown: exact("103119")
        case .appSuspended: near("105018", "the app exists but may not call")
        case .capabilityMissing: exact("105019")
        case .appNotAllowed: exact("105302")
        case .assuranceTooLow, .attestationInvalid: near("105018", "assurance is newer than the document")
        case .serverAddressNotAllowed: exact("103511")
        case .quotaExceeded: near("103911", "the document has no code for a used-up quota")
        case .tooManyRequests, .tooManyUnusedTokens: exact("103911")
        case .messageReplayed: exact("103505")
        case .messageStale: exact("103412")
        case .sourceIDUnknown, .sourceIDMalformed: exact("103133")
        case .sourceIDTaken: exact("103139")
        case .sourceIDLimit: exact("103408")
        case .publicKeyMissing: exact("105011")
        case .encryptionFailed: exact("103404")
        case .scripInvalid, .scripExpired, .scripReused, .scripStolen: exact("103902")
        case .subscriptionMismatch: near("103902", "the address belongs to another subscription")
        case .storeUnavailable: exact("103214")
        case .overloaded, .internalError: exact("103205")
        default: near("103211", "belongs to the phone's side")
        }
    }

    /// Document 000 §6.3.
    private static func cmVerify(_ situation: Situation) -> Code {
        switch situation {
        case .success: exact("000")
        case .numberDiffers: exact("001")
        case .addressUnknown, .addressStale, .addressAmbiguous, .subscriberUnsupported, .carrierUnsupported:
            exact("002")
        case .numberHashMalformed: exact("004")
        case .parameterMissing, .parameterInvalid, .versionUnsupported: exact("102")
        case .serverAddressNotAllowed, .appNotAllowed: exact("124")
        case .appUnknown, .appSuspended, .capabilityMissing: near("124", "the table has no code for a refused app")
        case .signWrong, .signMissing, .signAlgorithmMismatch: exact("302")
        case .malformedRequest, .methodNotAllowed, .notFound, .bodyTooLarge: exact("303")
        case .tokenMissing, .tokenMalformed, .tokenUnknown, .tokenExpired, .tokenSpent, .tokenWrongApp,
            .tokenWrongPurpose,
            .subscriptionChanged:
            exact("606")
        case .messageReplayed:
            near("103505", "taken from the table of loginTokenValidate; this one has none for a replay")
        case .messageStale: near("102", "the timestamp is a parameter")
        case .quotaExceeded: exact("102315")
        case .tooManyRequests, .tooManyUnusedTokens: near("102315", "the table has no code for a rate")
        case .assuranceTooLow, .attestationInvalid: near("606", "assurance is newer than the document")
        case .storeUnavailable, .overloaded, .internalError: exact("999")
        default: near("003", "belongs to the phone's side")
        }
    }

    /// Document 001 §4.1; its example answers success with 103000.
    private static func tyrzPlatform(_ situation: Situation, _ carrier: Carrier?) -> Code {
        switch situation {
        case .success: near("103000", "the platform's table lists errors only; the document's example answers 103000")
        case .signWrong, .signMissing: exact("103101")
        case .signAlgorithmMismatch: near("103101", "the algorithm is pinned per app")
        case .addressUnknown, .addressStale, .addressAmbiguous: exact("103111")
        case .serverAddressNotAllowed: near("103111", "the table has one code for a wrong address")
        case .malformedRequest, .methodNotAllowed, .notFound, .bodyTooLarge: exact("103112")
        case .parameterMissing, .parameterInvalid: near("103112", "the table has one code for a wrong request")
        case .tokenMissing, .tokenMalformed, .tokenWrongApp: exact("103113")
        case .tokenWrongPurpose: near("103104", "this kind of token does not open this interface")
        case .tokenExpired, .subscriptionChanged: exact("103114")
        case .tokenUnknown: exact("103115")
        case .tokenSpent: exact("103116")
        case .sourceIDUnknown: exact("103118")
        case .sourceIDMalformed: exact("103133")
        case .sourceIDTaken: exact("103139")
        case .sourceIDLimit: near("103139", "the limit of 99 has a code only in document 000")
        case .appUnknown: exact("103119")
        case .publicKeyMissing: near("103120", "the app registered no key to authenticate with")
        case .capabilityMissing, .appSuspended, .appNotAllowed: near("103104", "the app may not use this interface")
        case .assuranceTooLow, .attestationInvalid: near("103104", "assurance is newer than the document")
        case .versionUnsupported: exact("103127")
        case .messageReplayed: exact("103107")
        case .messageStale: exact("103226")
        case .quotaExceeded, .tooManyRequests, .tooManyUnusedTokens:
            near("103901", "the table's only code for too many calls speaks of SMS")
        case .scripInvalid, .scripExpired, .scripReused, .scripStolen, .subscriptionMismatch: exact("103902")
        case .subscriberUnsupported, .carrierUnsupported: exact(gatewayFailure(carrier))
        case .storeUnavailable: exact("103214")
        case .encryptionFailed: near("103205", "no code for a failed encryption")
        case .overloaded, .internalError: exact("103205")
        default: near("103112", "belongs to the phone's side")
        }
    }

    /// Document 001 §4.2.
    private static func tyrzSDK(_ situation: Situation) -> Code {
        switch situation {
        case .success: exact("103000")
        case .notConfigured: exact("102302")
        case .invalidArgument: exact("102208")
        case .parameterMissing: exact("102203")
        case .noNetwork: exact("102101")
        case .cellularDataOff: exact("102103")
        case .noSIM: exact("200002")
        case .timedOut: exact("102507")
        case .networkFailure: exact("102102")
        case .userCancelled: exact("102301")
        case .switchAccount, .cancelledByApp: near("102301", "the document knows one kind of cancelling")
        case .bundleMismatch: exact("200009")
        case .addressUnknown, .addressStale, .addressAmbiguous, .subscriberUnsupported, .carrierUnsupported:
            exact("102109")
        default: near("102102", "the table's widest error")
        }
    }
}
