import BenjiClient
public import BenjiPolicy
public import BenjiProtocol

extension ScriptedTransport.Answer {
    /// The reply of a gateway to a prefetch when it knows the phone: a new scrip each time.
    ///
    /// ```swift
    /// let benji = Benji(
    ///     configuration: configuration, transport: ScriptedTransport([.prefetch(), .authorize()]),
    ///     keyStore: MemoryDeviceKeyStore())
    /// let token = try await benji.logIn(presenting: FakePresenter())
    /// ```
    ///
    /// - Parameter lifetime: of the scrip, in seconds.
    public static func prefetch(
        maskedNumber: String = "138****0000", carrier: Carrier = .mobile, lifetime: Int64 = 600,
        assurance: Assurance = .net, policy: CarrierPolicy = .standard,
        trace: TraceID = TraceID(random: SystemRandomSource()), random: any RandomSource = SystemRandomSource()
    ) -> Self {
        let page =
            policy.carriers[carrier]?.page
            ?? CarrierPage(termsTitle: "terms", termsURL: "https://carrier.example/terms", slogan: "slogan")
        return .json(
            PrefetchResponse(
                trace: trace, scrip: CredentialGrammar.scrip.make(random: random), scripLifetime: lifetime,
                maskedNumber: maskedNumber, carrier: carrier, policyVersion: policy.version, page: page,
                nonce: CredentialGrammar.nonce.make(random: random), assurance: assurance,
                serverTime: SystemWallClock().now
            ).json)
    }

    /// The reply of an authority to an authorize that it grants.
    ///
    /// - Parameters:
    ///   - lifetime: of the token, in seconds.
    ///   - rotates: whether a new scrip comes along, so that the next login needs no prefetch.
    public static func authorize(
        lifetime: Int64 = 120, openID: String? = nil, assurance: Assurance = .net, rotates: Bool = false,
        trace: TraceID = TraceID(random: SystemRandomSource()), random: any RandomSource = SystemRandomSource()
    ) -> Self {
        .json(
            AuthorizeResponse(
                trace: trace, token: CredentialGrammar.token.make(random: random), tokenLifetime: lifetime,
                openID: openID, scrip: rotates ? CredentialGrammar.scrip.make(random: random) : nil,
                nonce: rotates ? CredentialGrammar.nonce.make(random: random) : nil, assurance: assurance,
                consentReceipt: nil
            ).json)
    }
}
