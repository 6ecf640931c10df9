import BenjiProtocol
import Requests
import Store

/// A line of the audit log as a message of syslog (RFC 5424). The facility is 13 (log audit). The severity is warning
/// for a refused order, and notice otherwise. The message is a JSON object, as `benji audit --json` has it. It holds no
/// credential, because the audit log holds none. It does not hold the name of the request. The reason is free text of
/// the caller.
struct SyslogMessage: Hashable, Sendable {
    /// The longest message that every daemon takes (rsyslog's default), in bytes.
    static let maximumBytes = 8192
    private static let facility = 13
    /// The bytes that remain of a text in a message that is cut. The message is short enough even if all are escaped.
    private static let cut = 100

    let bytes: [UInt8]

    /// - Parameters:
    ///   - host: the name of this machine.
    ///   - process: the number of this process.
    init(_ entry: AuditEntry, host: String, process: Int32) {
        let severity = entry.outcome == .success ? 5 : 4
        let header =
            "<\(Self.facility * 8 + severity)>1 \(entry.at.boundedText) \(Self.name(host, atMost: 255)) benji "
            + "\(process) \(Self.name(entry.order, atMost: 32)) - "
        var message = Array(header.utf8) + Self.json(entry).serialized
        if message.count > Self.maximumBytes {
            // The line is in the audit log as a whole, under its number.
            message = Array(header.utf8) + Self.json(entry, isCut: true).serialized
        }
        bytes = message
    }

    /// - Parameter isCut: whether the states are left out and the texts shortened.
    private static func json(_ entry: AuditEntry, isCut: Bool = false) -> JSON {
        func value(_ text: String?) -> JSON? {
            guard let text, !isCut else { return nil }
            return (try? JSON(parsing: text)) ?? .string(text)
        }
        func text(_ text: String?) -> JSON? {
            text.map { .string(isCut ? String(decoding: $0.utf8.prefix(cut), as: UTF8.self) : $0) }
        }
        return .object([
            "id": .integer(entry.id), "at": .integer(entry.at.milliseconds), "actor": text(entry.actor),
            "role": text(entry.role), "origin": text(entry.origin), "order": text(entry.order),
            "app": text(entry.app?.rawValue), "subject": text(entry.subject), "before": value(entry.before),
            "after": value(entry.after), "reason": text(entry.reason), "outcome": .string(entry.outcome.rawValue),
            "isCut": isCut ? .bool(true) : nil,
        ])
    }

    /// A field of the header: printable ASCII without a space, or `-` for none.
    private static func name(_ text: String, atMost count: Int) -> String {
        let bytes = text.utf8.filter { $0 > 32 && $0 < 127 }.prefix(count)
        return bytes.isEmpty ? "-" : String(decoding: bytes, as: UTF8.self)
    }
}
