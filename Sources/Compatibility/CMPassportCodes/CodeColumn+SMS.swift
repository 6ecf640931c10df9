public import BenjiProtocol

/// The platform's codes of a login by SMS, which both documents list beside the codes of their SDKs (§6.2, §4.1).
extension CodeColumn {
    /// TYRZSDK's document. A code of the platform comes before the SDK's own.
    public static let cmSDKWithSMS = CodeColumn { situation, carrier, step in
        cmSMSCode(situation) ?? cmSDK.code(for: situation, carrier: carrier, step: step)
    }

    /// TYRZLogin's document, whose list is the older one.
    public static let tyrzSDKWithSMS = CodeColumn { situation, carrier, step in
        tyrzSMSCode(situation) ?? tyrzSDK.code(for: situation, carrier: carrier, step: step)
    }

    /// The failures of a code by SMS; `nil` for everything else.
    public static let cmSMS = CodeColumn { situation, _, _ in cmSMSCode(situation) }

    /// The same in TYRZLogin's document.
    public static let tyrzSMS = CodeColumn { situation, _, _ in tyrzSMSCode(situation) }

    private static func cmSMSCode(_ situation: Situation) -> Code? {
        switch situation {
        case .codeWrong: exact("103108")
        case .codeExpired: exact("103109")
        case .codeUnknown: exact("103202")
        case .codeTriesExceeded: exact("104202")
        case .tooManyCodes: exact("103901")
        case .messageNotSent: exact("103207")
        case .numberMalformed: exact("103125")
        case .numberNotServed, .numberBlocked: near("103106", "the number is one, but no code logs in to it")
        default: nil
        }
    }

    private static func tyrzSMSCode(_ situation: Situation) -> Code? {
        switch situation {
        case .codeWrong: exact("103108")
        case .codeTriesExceeded: near("103108", "the list has no code for too many wrong codes")
        case .codeExpired: exact("103109")
        case .codeUnknown: near("103109", "the list has no code for a code that is not known any more")
        case .tooManyCodes: exact("103901")
        case .messageNotSent: exact("103207")
        case .numberMalformed: exact("103125")
        case .numberNotServed, .numberBlocked: exact("103104")
        default: nil
        }
    }
}
