import BenjiProtocol

/// One valid message of each kind, for tests to spoil.
enum Samples {
    static let appID = AppID(rawValue: "300000000001")!
    static let trace = TraceID(rawValue: String(repeating: "0a", count: 16))!
    static let scrip = "SCrip" + String(repeating: "a", count: 48)
    static let nonce = "SNonc" + String(repeating: "b", count: 44)
    static let token = "STsid" + String(repeating: "C", count: 51)
    static let page = CarrierPage(
        termsTitle: "中国移动认证服务条款", termsURL: "https://carrier.example/terms", slogan: "中国移动提供认证服务")

    static let prefetchRequest = PrefetchRequest(
        appID: appID, bundleID: "com.example.app", appKeyProof: String(repeating: "A", count: 43), dialect: .device)

    static let smsCodeRequest = SMSCodeRequest(
        appID: appID, bundleID: "com.example.app", appKeyProof: String(repeating: "A", count: 43), dialect: .device,
        number: "13800000001")
    static let smsCodeResponse = SMSCodeResponse(
        trace: trace, transaction: String(repeating: "0f", count: 16), digits: 6, lifetime: 300,
        policyVersion: "2026-11", serverTime: Timestamp(milliseconds: 1_790_000_000_123))
    static let smsLoginRequest = SMSLoginRequest(
        appID: appID, dialect: .device, transaction: smsCodeResponse.transaction, smsCode: "731904", consent: "a.b.c")

    static let smsUpstreamRequest = SMSUpstreamRequest(
        appID: appID, bundleID: "com.example.app", appKeyProof: String(repeating: "A", count: 43), dialect: .device)
    static let smsUpstreamResponse = SMSUpstreamResponse(
        trace: trace, transaction: smsCodeResponse.transaction, text: "我要登录 Shop，不是替别人发送：K7M2Q9XN4RTDW3HE",
        serviceNumber: "10690123", lifetime: 300, retryAfter: 3, policyVersion: "2026-11",
        serverTime: Timestamp(milliseconds: 1_790_000_000_123))
    static let smsUpstreamStatusRequest = SMSUpstreamStatusRequest(
        appID: appID, transaction: smsCodeResponse.transaction)
    static let smsUpstreamStatusResponse = SMSUpstreamStatusResponse(
        trace: trace, sender: .init(carrier: .mobile, maskedNumber: "138****0000"), retryAfter: 3)
    static let smsUpstreamLoginRequest = SMSUpstreamLoginRequest(
        appID: appID, dialect: .device, transaction: smsCodeResponse.transaction, consent: "a.b.c")

    static let prefetchResponse = PrefetchResponse(
        trace: trace, scrip: scrip, scripLifetime: 3600, maskedNumber: "138****0000", carrier: .mobile,
        policyVersion: "2026-11", page: page, nonce: nonce, assurance: .net,
        serverTime: Timestamp(milliseconds: 1_790_000_000_123))

    static let authorizeRequest = AuthorizeRequest(appID: appID, scrip: scrip, purpose: .login, consent: "a.b.c")

    static let authorizeResponse = AuthorizeResponse(
        trace: trace, token: token, tokenLifetime: 120, openID: "o", scrip: scrip, nonce: nonce, assurance: .netApp,
        consentReceipt: "r")

    static let failure = DeviceFailure(
        situation: .clockSkew, detail: "iat is 300 s behind", trace: trace, serverTime: Timestamp(milliseconds: 5))

    static let consentContent = ConsentContent(
        drawnBy: .benji, language: "zh-Hans", policyVersion: "2026-11",
        texts: [.init(.number, ConsentContent.numberPlaceholder), .init(.loginButton, "本机号码一键登录")],
        links: [.init(title: "中国移动认证服务条款", url: "https://wap.cmpassport.com/x")], initiallyTicked: false)
}
