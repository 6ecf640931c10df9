import Foundation
package import NIOSSL

/// From when until when a certificate counts, in seconds since 1970.
package struct CertificateLife: Hashable, Sendable {
    package let begins: Int64
    package let ends: Int64

    /// How long before its end a certificate is warned about, in days.
    package static let warnedDays: Int64 = 14

    package init(begins: Int64, ends: Int64) {
        self.begins = begins
        self.ends = ends
    }

    package init(_ certificate: NIOSSLCertificate) {
        self.init(begins: Int64(certificate.notValidBefore), ends: Int64(certificate.notValidAfter))
    }

    /// Why the other end refuses the certificate at a moment; `nil` if it does not.
    package func problem(at seconds: Int64) -> String? {
        if seconds > ends { return "the certificate expired on \(Self.day(ends)); clients refuse it" }
        if seconds < begins {
            return "the certificate counts from \(Self.day(begins)); clients refuse it until then"
        }
        return nil
    }

    /// The warning a while before the certificate expires; `nil` while there is time.
    package func warning(at seconds: Int64) -> String? {
        let days = (ends - seconds) / 86400
        return problem(at: seconds) == nil && days < Self.warnedDays ? "the certificate expires in \(days) days" : nil
    }

    package static func day(_ seconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601.year().month().day())
    }
}
