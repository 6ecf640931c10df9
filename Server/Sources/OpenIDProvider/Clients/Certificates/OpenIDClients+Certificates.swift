import Authority
import BenjiProtocol
import Requests
import Store

extension OpenIDClients {
    /// Refuses a client of mutual TLS whose certificate could not be recognised.
    static func validateCertificate(_ registration: Registration) throws(Refusal) {
        func refuse(_ problem: String) -> Refusal { Refusal(.parameterInvalid, problem) }
        if let name = registration.certificateName, let problem = name.problem {
            throw refuse("\(name.kind.rawValue): \(problem)")
        }
        switch registration.authentication {
        case .tlsClientAuth where registration.certificateName == nil:
            throw refuse("tls_client_auth: needs what the certificate says, such as tls_client_auth_san_dns")
        case .selfSignedTLSClientAuth:
            let set = try registration.keySet.map(keySet)
            guard set?.certificates.isEmpty == false else {
                let reasons = (set?.ignored ?? []).prefix(4).map { "; \($0)" }.joined()
                throw refuse(
                    "self_signed_tls_client_auth: needs the client's certificate, as x5c of a key of its JWK set"
                        + reasons)
            }
        default: break
        }
    }
}
