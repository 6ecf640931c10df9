import Store

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints

enum Fixtures {
    static let appID = AppID(rawValue: "300000000001")!
    static let server = InternetAddress("203.0.113.7")!
    static let trace = TraceID(rawValue: "00112233445566778899aabbccddeeff")!
    /// The tokens that TYRZSDK's and TYRZLogin's documents print.
    static let loginToken = "STsid0000001517196594066OHmZvPMBwn2MkFxwvWkV12JixwuZuyDU"
    static let verificationToken = "STsid0000001517194515125yghlPllAetv4YXx0v6vW2grV1v0votvD"
    static let userToken = "STsid0000001510210576710ivYn20UXdDa8Nhw0LpL1szQi5KJhgf5r"

    static func app(
        _ id: AppID = appID, algorithm: SignAlgorithm = .md5, publicKey: String? = DemoKeys.publicKey
    ) -> RegisteredApp {
        RegisteredApp(
            record: AppRecord(
                id: id, name: "Demo", keys: [], capabilities: [.login, .verification],
                bundleIDs: ["com.example.demo"], serverAddresses: ["203.0.113.0/24"], rsaPublicKey: publicKey,
                signAlgorithm: algorithm, sourceIDs: ["800120170818101447", "800120170714100001"],
                createdAt: Timestamp(milliseconds: 0)), key: AppKey(DemoKeys.appKey))
    }

    static func login(number: String = "14700000000", carrier: Carrier = .mobile) -> ReleasedLogin {
        ReleasedLogin(
            number: PhoneNumber(number)!, carrier: carrier, openID: "open-id", pseudonym: "pseudonym", purpose: .login,
            assurance: .net, trace: trace, authenticatedAt: Timestamp(milliseconds: 1_510_210_576_710))
    }
}
