import Crypto
import NIOSSL
import SwiftASN1
import X509

/// A client's certificate, verified by the handshake: signed by a trusted authority, with proof of its key.
struct ClientCertificate: Hashable, Sendable {
    let names: Set<ClientName>
    /// From when until when it counts, in seconds since 1970.
    let life: ClosedRange<Int64>

    init(names: Set<ClientName>, life: ClosedRange<Int64>) {
        self.names = names
        self.life = life
    }

    /// `nil` for bytes that are no certificate, and for one that ends before it begins.
    init?(_ certificate: NIOSSLCertificate) {
        let (begins, ends) = (Int64(certificate.notValidBefore), Int64(certificate.notValidAfter))
        guard let bytes = try? certificate.toDERBytes(), begins <= ends else { return nil }
        var names: Set<ClientName> = [.fingerprint(Array(SHA256.hash(data: bytes)))]
        var hasNames = false
        for name in certificate._subjectAlternativeNames() {
            let read: ClientName?
            switch name.nameType {
            case .dnsName: read = ClientName(certificateHost: name.contents)
            case .uri: read = ClientName(certificateURI: name.contents)
            default: continue
            }
            hasNames = true
            if let read { names.insert(read) }
        }
        // The common name is free text: it counts only where nothing better is there (RFC 6125 §6.4.4).
        if !hasNames, let subject = try? Certificate(derEncoded: bytes).subject {
            let common = subject.flatMap { $0 }.filter { $0.type == .RDNAttributeType.commonName }
            if common.count == 1, let text = String(common[0].value), let name = ClientName(certificateHost: text.utf8)
            {
                names.insert(name)
            }
        }
        self.init(names: names, life: begins...ends)
    }

    /// The one NAS that the certificate is of: its index in the configuration; `nil` if it is no NAS's, or several
    /// ones'.
    func server(of servers: [NetworkAccessServer]) -> Int? {
        let named = servers.indices.filter { servers[$0].certificates.contains(where: names.contains) }
        return named.count == 1 ? named[0] : nil
    }
}
