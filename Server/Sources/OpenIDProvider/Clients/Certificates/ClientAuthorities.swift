package import BenjiProtocol
import Foundation
import SwiftASN1
import Synchronization
@_spi(FixedExpiryValidationTime) import X509

/// The authorities that sign certificates of `tls_client_auth` clients: only those that the operator names, not the
/// system's.
package final class ClientAuthorities: Sendable {
    private let certificates = Mutex<[Certificate]>([])

    package init() {}

    /// Trusts these instead of those before, from the next request on.
    ///
    /// - Parameter pem: at least one certificate, each of an authority that signs clients' certificates itself.
    ///   Certificates between it and a root are not looked for.
    /// - Throws: the error in the text. Then the previous authorities stay.
    package func replace(pem: String) throws {
        let new = try PEMDocument.parseMultiple(pemString: pem).map { try Certificate(pemDocument: $0) }
        guard !new.isEmpty else { throw JSONError(place: "PEM", problem: "no certificate") }
        certificates.withLock { $0 = new }
    }

    var isEmpty: Bool { certificates.withLock { $0.isEmpty } }

    /// Whether one of them signed a certificate for a client, and both are of this time (RFC 5280 §6).
    func haveSigned(_ certificate: ClientCertificate, at now: Timestamp) async -> Bool {
        let roots = CertificateStore(certificates.withLock { $0 })
        let moment = Date(timeIntervalSince1970: Double(now.milliseconds) / 1000)
        var verifier = Verifier(rootCertificates: roots) {
            RFC5280Policy(fixedExpiryValidationTime: moment)
            ClientUsagePolicy()
        }
        let result = await verifier.validate(leaf: certificate.certificate, intermediates: CertificateStore([]))
        if case .validCertificate = result { return true }
        return false
    }
}

/// A certificate that says what it is for must be for clients (RFC 5280 §4.2.1.12): one of a server of the same
/// authority is none.
private struct ClientUsagePolicy: VerifierPolicy {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = [
        .X509ExtensionID.extendedKeyUsage, .X509ExtensionID.subjectAlternativeName,
    ]

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        do {
            guard let usages = try chain.leaf.extensions.extendedKeyUsage,
                !usages.contains(.clientAuth), !usages.contains(.any)
            else { return .meetsPolicy }
            return .failsToMeetPolicy(reason: "the certificate is not for clients")
        } catch { return .failsToMeetPolicy(reason: "the extended key usage cannot be read") }
    }
}
