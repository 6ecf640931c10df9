import BenjiProtocol
import Crypto

/// One request and its answer, as the judge of histories reads it
/// (`Tests/System/durability/test_kill_load.py --judge`).
package struct Operation: Hashable, Sendable {
    package var step: Step
    /// Microseconds on the run's own clock, before the request left.
    package var start: Int64
    /// After the answer was there; `nil` if none came: it may have happened or not.
    package var end: Int64?
    package var phone: Int
    package var app: String
    /// ``shortHash(of:)`` of the token that was issued or shown.
    package var token: String?
    /// The result code.
    package var outcome: String?
    /// The phone whose number was released or confirmed; -1 for a number that is none of ours.
    package var released: Int?

    package init(_ step: Step, start: Int64, phone: Int, app: String, token: String? = nil) {
        self.step = step
        self.start = start
        self.phone = phone
        self.app = app
        self.token = token
    }

    /// Enough of a token's SHA-256 to tell it from all others, and useless for spending it.
    package static func shortHash(of token: String) -> String {
        Hexadecimal.encode(SHA256.hash(data: Array(token.utf8)).prefix(8))
    }

    /// One line, without its end.
    package var line: String {
        func text(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }
        func number(_ value: (some FixedWidthInteger)?) -> JSON { value.map { .integer($0) } ?? .null }
        return JSON.object([
            JSON.Member("start", .integer(start)), JSON.Member("end", number(end)),
            JSON.Member("op", .string(step.rawValue)), JSON.Member("phone", .integer(phone)),
            JSON.Member("app", .string(app)), JSON.Member("token", text(token)),
            JSON.Member("outcome", text(end == nil ? nil : outcome)), JSON.Member("released", number(released)),
        ]).text
    }
}
