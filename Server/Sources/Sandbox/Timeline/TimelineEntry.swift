package import BenjiProtocol
package import Catalogue
import Endpoints

/// One line of the sandbox's timeline. It holds no number and no credential. The bytes of a message, which do, are kept
/// with it but not in its JSON.
package struct TimelineEntry: Sendable {
    package enum Party: String, Sendable, CaseIterable {
        case phone, modem, sandbox, gateway, authority, shop
        case packetCore = "packet-core"
        /// The centre that brings short messages.
        case smsc
    }

    package enum Kind: String, Sendable, CaseIterable {
        /// A message crossed a socket and was answered.
        case message
        /// The authority or the gateway decided something: a step of the login's trace.
        case decision
        /// Somebody changed the phone: its SIM, its network, its fault.
        case change
        /// A fault that was put in here happened.
        case fault
    }

    /// Counts the entries as they were written down. A reader asks for new ones by the greatest number that it has.
    package internal(set) var number: Int64 = 0
    /// Its place in the timeline, by its beginning. A message is recorded when its answer has come, and precedes the
    /// entries that it caused. 0 before it has begun.
    package internal(set) var order: Int64 = 0
    /// The place of its end, for an answered message: the entries that it caused are between the two. 0 otherwise.
    package internal(set) var end: Int64 = 0
    /// When it began.
    package internal(set) var at = Timestamp(milliseconds: 0)
    package var kind: Kind
    /// The phone's id; `nil` for what belongs to none, such as an app's server asking for keys.
    package var phone: String?
    package var from: Party
    package var to: Party?
    /// The subject of the message, decision or change in the programs' words: `GET /openid/authorize`, `openid.page`.
    package var subject: String
    /// A result code, as it was spelt on the wire; empty where there is none.
    package var code = ""
    /// The table in which the code stands.
    package var table = CodeTable.device
    /// A few English words for developers.
    package var detail = ""
    package var trace: TraceID?
    /// From the request to its answer.
    package var elapsed: Duration?
    /// The bytes of the message and its answer; `nil` if there were none, or if they are too old.
    package var bytes: MessageBytes?

    package init(_ kind: Kind, phone: String?, from: Party, to: Party? = nil, _ subject: String) {
        self.kind = kind
        self.phone = phone
        self.from = from
        self.to = to
        self.subject = subject
    }

    /// Whether the request succeeded.
    package var isSuccess: Bool { code.isEmpty ? kind != .fault : Self.isSuccess(code, in: table) }

    /// Whether a code means success.
    package static func isSuccess(_ code: String, in table: CodeTable) -> Bool {
        code == Situation.success.rawValue || ResultCodes.column(table)?.answers(.success, with: code) == true
    }

    package var json: JSON {
        .object([
            "number": .integer(number), "order": .integer(order),
            "end": end == 0 ? nil : .integer(end), "at": .integer(at.milliseconds),
            "kind": .string(kind.rawValue),
            "phone": phone.map { .string($0) }, "from": .string(from.rawValue), "to": to.map { .string($0.rawValue) },
            "subject": .string(subject), "code": code.isEmpty ? nil : .string(code),
            "table": code.isEmpty ? nil : .string(table.rawValue),
            "detail": detail.isEmpty ? nil : .string(detail), "trace": trace.map { .string($0.rawValue) },
            "milliseconds": elapsed.map { .integer($0.wholeMilliseconds) },
        ])
    }
}
