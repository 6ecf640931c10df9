/// One way of speaking to us, by its name on the wire. Code tables, lifetimes and spellings belong to a dialect.
///
/// An app knows the dialect of its own SDK; a vendor's stands beside the vendor's codes. The server knows all
/// (`BenjiPolicy`).
public struct Dialect: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Benji's own: SDK and gateway.
    public static let device = Dialect(rawValue: "device")
}
