import BenchmarkSupport

/// The certificates of the link between gateways and authority, as docs/operations/gateways.md has them made.
struct LinkCertificates {
    private let scratch: Scratch

    init(gateways: [String], in folder: String?) throws {
        scratch = try Scratch("cluster-link", in: folder)
        try openssl(
            "link-ca", ["-days", "2", "-subj", "/CN=Benji link", "-addext", "keyUsage=critical,keyCertSign,cRLSign"])
        try issue("authority", usage: "serverAuth", name: "IP:127.0.0.1")
        for gateway in gateways { try issue(gateway, usage: "clientAuth", name: "DNS:\(gateway)") }
    }

    /// The setting of one end of the link.
    func setting(of name: String) -> String {
        """
        mutual-tls: {certificate: \(scratch.file(name)).pem, key: \(scratch.file(name)).key, \
        authority: \(scratch.file("link-ca")).pem}
        """
    }

    private func issue(_ name: String, usage: String, name alternative: String) throws {
        let authority = scratch.file("link-ca")
        try openssl(
            name,
            [
                "-days", "2", "-subj", "/CN=\(name)", "-CA", authority + ".pem", "-CAkey", authority + ".key",
                "-addext",
                "basicConstraints=critical,CA:FALSE", "-addext", "extendedKeyUsage=\(usage)", "-addext",
                "subjectAltName=\(alternative)",
            ])
    }

    private func openssl(_ name: String, _ words: [String]) throws {
        try Child.run(
            "openssl",
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"] + words
                + ["-keyout", scratch.file(name) + ".key", "-out", scratch.file(name) + ".pem"],
            log: scratch.file("openssl.log"))
    }
}
