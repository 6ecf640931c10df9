import NIOSSL
import ServerRuntime

/// A file in PEM that a command was given.
enum PEMFile {
    /// - Parameter option: which option named it, for the failure.
    static func certificates(_ path: String, for option: String) throws -> [NIOSSLCertificate] {
        let bytes = try CommandFile.read(path, for: option)
        guard let certificates = try? NIOSSLCertificate.fromPEMBytes(bytes), !certificates.isEmpty else {
            throw CommandFailure(
                "\(option) \(path): there is no PEM certificate in it; one begins with -----BEGIN CERTIFICATE-----")
        }
        return certificates
    }

    /// The text of a public key; whether it will do is judged where it is registered.
    static func publicKey(_ path: String, for option: String) throws -> String {
        let text = try CommandFile.text(path, for: option)
        guard text.contains("-----BEGIN PUBLIC KEY-----") || text.contains("-----BEGIN RSA PUBLIC KEY-----") else {
            throw CommandFailure(
                "\(option) \(path): there is no PEM public key in it; one begins with -----BEGIN PUBLIC KEY-----")
        }
        return text
    }

    static func privateKey(_ path: String, for option: String) throws -> NIOSSLPrivateKey {
        let bytes = try CommandFile.read(path, for: option)
        guard let key = try? NIOSSLPrivateKey(bytes: bytes, format: .pem) else {
            throw CommandFailure(
                "\(option) \(path): there is no unencrypted PEM private key in it; one begins with -----BEGIN PRIVATE "
                    + "KEY-----"
            )
        }
        return key
    }
}
