package import BenjiProtocol
package import Catalogue
import Endpoints

/// One line of the sandbox's timeline. It holds no number and no credential; the bytes of a message, which do, are beside it and
/// not in its JSON.
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
    /// Its place in the timeline, by its beginning: a message is written down when its answer has come, and stands before
    /// everything that it brought about. 0 before it has begun.
    package internal(set) var order: Int64 = 0
    /// The same of its end, for a message that was answered: what it brought about stands between the two. 0 for everything else.
    package internal(set) var end: Int64 = 0
    /// When it began.
    package internal(set) var at = Timestamp(milliseconds: 0)
    package var kind: Kind
    /// The phone's id; `nil` for what belongs to none, such as an app's server asking for keys.
    package var phone: String?
    package var from: Party
    package var to: Party?
    /// What was sent, decided or changed, as the programs call it: `GET /openid/authorize`, `openid.page`, `network`.
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
    /// What was sent, and what was answered; `nil` where nothing was, and where it is too long ago.
    package var bytes: MessageBytes?

    package init(_ kind: Kind, phone: String?, from: Party, to: Party? = nil, _ subject: String) {
        self.kind = kind
        self.phone = phone
        self.from = from
        self.to = to
        self.subject = subject
    }

    /// Whether what was asked for came to pass.
    package var isSuccess: Bool { code.isEmpty ? kind != .fault : Self.isSuccess(code, in: table) }

    /// Whether a code says so.
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
