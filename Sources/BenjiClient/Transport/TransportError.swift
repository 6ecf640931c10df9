/// Why an exchange gave no answer. Equal when the code is equal.
public struct TransportError: Error, Sendable {
    /// An open set: switch with a `default`.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// No network of any kind is up.
        public static let noNetwork = Code(rawValue: "noNetwork")
        /// The cellular interface is missing, down, or has no address: no signal, no SIM, or flight mode.
        public static let cellularUnavailable = Code(rawValue: "cellularUnavailable")
        /// Mobile data is switched off, for all apps or for this one, or the person has not been asked yet.
        public static let cellularDenied = Code(rawValue: "cellularDenied")
        /// The time given for the exchange ran out.
        public static let timedOut = Code(rawValue: "timedOut")
        /// Nothing listens at the server's address and port, or it cannot be reached by this network.
        public static let connectionRefused = Code(rawValue: "connectionRefused")
        /// The connection ended before the answer was complete.
        public static let connectionLost = Code(rawValue: "connectionLost")
        /// The server's name has no address.
        public static let nameNotResolved = Code(rawValue: "nameNotResolved")
        /// No trusted TLS connection: wrong name, untrusted or expired certificate, or no common version.
        public static let tlsFailed = Code(rawValue: "tlsFailed")
        /// The answer is not HTTP as this transport accepts it.
        public static let malformedResponse = Code(rawValue: "malformedResponse")
        /// The answer is larger than the transport accepts.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The calling task was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The request cannot be sent as it is: a bad method, header or option. A mistake of the caller.
        public static let invalidRequest = Code(rawValue: "invalidRequest")
        /// The transport itself could not work: no memory, no thread, no socket.
        public static let internalFailure = Code(rawValue: "internalFailure")
    }

    public var code: Code
    /// Where: the server's origin, an interface, or a position in the answer. Never a query, header value or content.
    public var place: String
    /// The problem and, where there is one, the remedy. For the developer, in English, without secrets.
    public var detail: String

    public init(_ code: Code, at place: String, _ detail: String) {
        self.code = code
        self.place = place
        self.detail = detail
    }
}

extension TransportError: Hashable {
    public static func == (left: TransportError, right: TransportError) -> Bool { left.code == right.code }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension TransportError: CustomStringConvertible {
    public var description: String { "\(code) at \(place): \(detail)" }
}
