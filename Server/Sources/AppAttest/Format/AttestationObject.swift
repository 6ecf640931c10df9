/// The result of `DCAppAttestService.attestKey`: Apple's statement about a new key.
package struct AttestationObject: Hashable, Sendable {
    package static let format = "apple-appattest"
    /// Certificates in a chain, at most: Apple sends two.
    private static let maximumCertificates = 2

    /// The key's certificate and those above it, without the root. DER.
    package var certificates: [[UInt8]]
    /// The receipt for asking Apple more about the key. Not used.
    package var receipt: [UInt8]
    package var authenticatorData: [UInt8]

    package init(certificates: [[UInt8]], receipt: [UInt8], authenticatorData: [UInt8]) {
        self.certificates = certificates
        self.receipt = receipt
        self.authenticatorData = authenticatorData
    }

    package init(decoding bytes: [UInt8]) throws(AppAttestError) {
        var reader = CBORReader(bytes)
        var (format, data): (String?, [UInt8]?)
        var statement: (certificates: [[UInt8]], receipt: [UInt8])?
        for _ in 0..<(try reader.map(3)) {
            switch try reader.text() {
            case "fmt" where format == nil: format = try reader.text()
            case "attStmt" where statement == nil: statement = try Self.statement(&reader)
            case "authData" where data == nil: data = try reader.byteString()
            default: throw CBORReader.wrong("a member of the attestation is unknown or comes twice")
            }
        }
        try reader.finish()
        guard format == Self.format else { throw CBORReader.wrong("the attestation is not of \(Self.format)") }
        guard let statement, let data else { throw CBORReader.wrong("the attestation lacks a member") }
        self.init(certificates: statement.certificates, receipt: statement.receipt, authenticatorData: data)
    }

    private static func statement(
        _ reader: inout CBORReader
    ) throws(AppAttestError) -> (certificates: [[UInt8]], receipt: [UInt8]) {
        var (certificates, receipt): ([[UInt8]]?, [UInt8]?)
        for _ in 0..<(try reader.map(2)) {
            switch try reader.text() {
            case "x5c" where certificates == nil:
                var chain: [[UInt8]] = []
                for _ in 0..<(try reader.array(maximumCertificates)) { chain.append(try reader.byteString()) }
                certificates = chain
            case "receipt" where receipt == nil: receipt = try reader.byteString()
            default: throw CBORReader.wrong("a member of the statement is unknown or comes twice")
            }
        }
        guard let certificates, let receipt else { throw CBORReader.wrong("the statement lacks a member") }
        return (certificates, receipt)
    }

    /// As Apple's devices write it.
    package var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.map(3)
        writer.text("fmt")
        writer.text(Self.format)
        writer.text("attStmt")
        writer.map(2)
        writer.text("x5c")
        writer.array(certificates.count)
        for certificate in certificates { writer.byteString(certificate) }
        writer.text("receipt")
        writer.byteString(receipt)
        writer.text("authData")
        writer.byteString(authenticatorData)
        return writer.bytes
    }
}

/// The result of `DCAppAttestService.generateAssertion`: the key's signature over one request.
package struct AssertionObject: Hashable, Sendable {
    /// ECDSA over P-256 and SHA-256, DER.
    package var signature: [UInt8]
    package var authenticatorData: [UInt8]

    package init(signature: [UInt8], authenticatorData: [UInt8]) {
        self.signature = signature
        self.authenticatorData = authenticatorData
    }

    package init(decoding bytes: [UInt8]) throws(AppAttestError) {
        var reader = CBORReader(bytes)
        var (signature, data): ([UInt8]?, [UInt8]?)
        for _ in 0..<(try reader.map(2)) {
            switch try reader.text() {
            case "signature" where signature == nil: signature = try reader.byteString()
            case "authenticatorData" where data == nil: data = try reader.byteString()
            default: throw CBORReader.wrong("a member of the assertion is unknown or comes twice")
            }
        }
        try reader.finish()
        guard let signature, let data else { throw CBORReader.wrong("the assertion lacks a member") }
        self.init(signature: signature, authenticatorData: data)
    }

    /// As Apple's devices write it.
    package var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.map(2)
        writer.text("signature")
        writer.byteString(signature)
        writer.text("authenticatorData")
        writer.byteString(authenticatorData)
        return writer.bytes
    }
}
