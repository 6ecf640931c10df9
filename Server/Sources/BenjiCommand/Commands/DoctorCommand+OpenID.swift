import OpenIDProvider
import ServerRuntime
import Store

extension DoctorCommand {
    /// Where browsers and apps' servers go, in roles that are apart.
    static func examineOpenID(_ configuration: ServerConfiguration) -> [Finding] {
        guard configuration.role == .authority, let openID = configuration.openID else { return [] }
        return [
            Finding(
                subject: "openid", verdict: .good,
                text: "apps' servers go to \(openID.issuer), browsers to \(openID.pages), where a gateway must listen")
        ]
    }

    /// Features that an app's OpenID client is registered for and this installation does not offer.
    static func examine(_ client: OpenIDClientRecord, _ configuration: ServerConfiguration) -> [Finding] {
        guard configuration.openID != nil, configuration.clientTLS == nil else { return [] }
        let remedy: String
        if client.authentication.usesCertificate {
            remedy = "--auth-method private_key_jwt"
        } else if client.bindsToCertificate {
            remedy = "--no-certificate-bound-tokens"
        } else {
            return []
        }
        return [
            Finding(
                subject: "app \(client.appID)", verdict: .warning,
                text:
                    "its server shows a certificate, and without listen.mtls nobody asks for one, so it gets no token; "
                    + "set "
                    + "listen.mtls, or run: benji app openid set \(client.appID) \(remedy)")
        ]
    }
}
