public import BenjiClient
import BenjiProtocol

/// Logs a person in by a code that is sent to their number, or by a text that they send from it. It is for workflows
/// that allow it at the server, where one tap failed.
///
/// The token is redeemed as any other. Its assurance is ``BenjiProtocol/Assurance/sms``, or
/// ``BenjiProtocol/Assurance/smsUpstream`` for a text. The app draws the page. The page asks for the number and the
/// code, and links the app's terms with a tick that begins unset. Its button says 登录 or log in.
///
/// ```swift
/// import Benji
/// import BenjiProtocol
///
/// func logIn(
///     phoneLogin: PhoneLogin, byCode: SMSLogin, page: any AuthorizationPresenter, form: any CodeForm
/// ) async throws -> String {
///     do {
///         return try await phoneLogin.logIn(presenting: page).token
///     } catch let error where [.addressUnknown, .cellularDataOff].contains(error.situation) {
///         let code = try await byCode.sendCode(to: await form.number())
///         let (digits, consent) = await form.digits(of: code)
///         return try await byCode.logIn(with: digits, of: code, consent: consent).token
///     }
/// }
///
/// protocol CodeForm {
///     func number() async -> String
///     func digits(of code: SMSCode) async -> (String, PageConsent)
/// }
/// ```
///
/// Every call throws ``BenjiClient/BenjiError``. ``BenjiProtocol/Situation/capabilityMissing`` says that the workflow
/// or the installation has not this way; ``BenjiProtocol/Situation/assuranceTooLow`` that the app accepts no token that
/// it earns.
public final class SMSLogin: Sendable {
    private let engine: SMSCodeEngine

    /// - Parameters:
    ///   - configuration: the same as of ``PhoneLogin``.
    ///   - transport: by whatever network the phone has.
    ///   - keyStore: where the install's device key is kept; the same as of ``PhoneLogin``.
    ///   - attestation: the same as of ``PhoneLogin``. It makes nothing stronger here.
    public init(
        configuration: PhoneLogin.Configuration, transport: any Transport, keyStore: any DeviceKeyStore,
        attestation: (any AttestationProvider)? = nil
    ) {
        engine = SMSCodeEngine(
            configuration: configuration.engine, transport: transport, keyStore: keyStore, attestation: attestation)
    }

    package init(engine: SMSCodeEngine) { self.engine = engine }

    /// Whether the app's workflow has logins by a code: asked by whatever network the phone has.
    public func isOffered() async throws(BenjiError) -> Bool { try await engine.isOffered() }

    /// Has a code sent. The code before it, of the same app and number, is no longer good.
    ///
    /// - Parameter number: as the person typed it: eleven digits of mainland China, or a country code after `+` or
    ///   `00`, and digits.
    /// - Throws: ``BenjiProtocol/Situation/tooManyCodes`` after five in a minute or ten in a day, unless the server has
    ///   other limits.
    public func sendCode(to number: String) async throws(BenjiError) -> SMSCode {
        try await engine.sendCode(to: number)
    }

    /// Gets a token that releases the number to the app's server.
    ///
    /// - Parameters:
    ///   - digits: what the person typed.
    ///   - code: what ``sendCode(to:)`` returned.
    ///   - consent: what the page showed, the number written as ``BenjiProtocol/ConsentContent/numberPlaceholder``, and
    ///     when the person ticked and tapped.
    /// - Throws: ``BenjiProtocol/Situation/codeWrong``, and the person may type again, five times in all;
    ///   ``BenjiProtocol/Situation/codeExpired`` and ``BenjiProtocol/Situation/codeTriesExceeded``, and another code is
    ///   needed.
    public func logIn(
        with digits: String, of code: SMSCode, consent: PageConsent
    ) async throws(BenjiError) -> LoginToken {
        try await engine.logIn(digits, of: code, consent: consent)
    }

    /// Gets a text for the person to send: give it to `MFMessageComposeViewController` with its
    /// ``BenjiClient/SMSText/serviceNumber`` as recipient. It is for the number of the phone that sends it. On a device
    /// without a SIM it can be typed on another phone.
    public func text() async throws(BenjiError) -> SMSText { try await engine.text() }

    /// Waits until the message has come. Show the person the masked number that it came from, and let them say that it
    /// is theirs.
    ///
    /// - Throws: ``BenjiProtocol/Situation/codeExpired`` if none came in the text's time, or two numbers sent it.
    ///   ``BenjiProtocol/Situation/numberNotServed`` for a number that the network has not reported lately.
    public func sender(of text: SMSText) async throws(BenjiError) -> SMSTextSender {
        try await engine.sender(of: text)
    }

    /// Gets a token that releases the number that the text came from.
    ///
    /// - Parameter consent: to a page that showed that number, as of ``logIn(with:of:consent:)``.
    public func logIn(with text: SMSText, consent: PageConsent) async throws(BenjiError) -> LoginToken {
        try await engine.logIn(text, consent: consent)
    }
}

#if canImport(Network) && canImport(Security)
extension SMSLogin {
    /// With everything that Apple's platforms have for it: requests that leave by whatever network is up, and the
    /// device key of ``PhoneLogin``.
    public convenience init(
        configuration: PhoneLogin.Configuration, attestation: (any AttestationProvider)? = nil
    ) {
        self.init(
            configuration: configuration, transport: InternetTransport(),
            keyStore: KeychainDeviceKeyStore(account: configuration.engine.appID.rawValue), attestation: attestation)
    }
}
#endif
