package import BenchmarkSupport
@_spi(Server) package import BenjiProtocol
import Endpoints
import Sandbox

/// A registered app, as its phones and its server know it.
package struct AppIdentity: Sendable {
    package let id: AppID
    package let key: String
    package let serverSecret: String

    package init(id: AppID, key: String, serverSecret: String) {
        (self.id, self.key, self.serverSecret) = (id, key, serverSecret)
    }

    /// Returns its server's request to redeem a token.
    package func redemption(of token: String) -> HTTPLoad.Request {
        HTTPLoad.Request(
            CMPassportEndpoints.Path.loginTokenValidate.rawValue,
            body: OperatorClient.loginBody(
                token, appID: id, serverSecret: serverSecret, now: SystemWallClock().now, random: SystemRandomSource()
            ).serialized)
    }

    /// The number that a redemption is answered with.
    package static func number(in answer: [UInt8]) throws -> PhoneNumber {
        let answer = try JSON(parsing: answer)
        guard answer["resultCode"]?.stringValue == "103000", let text = answer["msisdn"]?.stringValue,
            let number = PhoneNumber(text)
        else { throw BenchmarkFailure("a redemption is refused: \(answer["resultCode"]?.stringValue ?? "no code")") }
        return number
    }
}
