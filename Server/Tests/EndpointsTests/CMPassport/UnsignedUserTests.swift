@_spi(Server) import BenjiProtocol
import Store
import Testing

@testable import Authority
@testable import Endpoints

@Suite("tokenValidate of TYRZLogin's document for apps without a key")
struct UnsignedUserTests {
    private static let stranger = InternetAddress("203.0.113.99")

    private func unsigned(_ token: String) throws -> JSON {
        try Requests.user(token: token).setting("header.sign", nil)
    }

    @Test(
        """
        an unsigned call is answered to an app without a key that is granted it, from its own few addresses, and to \
        nobody else
        """
    )
    func granted() async throws {
        try await inWorld { world in
            try await world.change {
                $0.rsaPublicKey = nil
                $0.unsignedRequests = true
                $0.serverAddresses = ["203.0.113.7"]
            }
            let token = try await world.token(.login)
            #expect(await world.endpoints.code(.userInformation, try unsigned(token), from: Self.stranger) == "103111")
            let wrong = try Requests.user(token: token)
            #expect(await world.endpoints.code(.userInformation, wrong) == "103120", "a sign that no key can check")
            let answer = await world.endpoints.answer(.userInformation, try unsigned(token))
            #expect(answer["header"]?["resultCode"] == "103000")
            #expect(answer["body"]?["msisdn"]?.stringValue == CMPassportWorld.number.national)
        }
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var change: @Sendable (inout AppRecord) -> Void
    }

    @Test(
        """
        without the grant, with a key, or where the addresses leave room for strangers, a sign is missing and the \
        token stays good
        """,
        arguments: [
            Refused(testDescription: "without the grant") { $0.rsaPublicKey = nil },
            Refused(testDescription: "with a key") { $0.unsignedRequests = true },
            Refused(testDescription: "of a wide block") {
                $0.rsaPublicKey = nil
                $0.unsignedRequests = true
                $0.serverAddresses = ["203.0.113.0/24"]
            },
        ])
    func refused(case refused: Refused) async throws {
        try await inWorld { world in
            try await world.change {
                $0.serverAddresses = ["203.0.113.7"]
                refused.change(&$0)
            }
            let token = try await world.token(.login)
            #expect(await world.endpoints.code(.userInformation, try unsigned(token)) == "103101")
            try await world.change { $0.rsaPublicKey = DemoKeys.publicKey }
            #expect(try await world.redeem(token, at: .userInformation) == "103000", "the token is still good")
        }
    }
}
