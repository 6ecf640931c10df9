package import BenjiProtocol
import Catalogue

/// Something that goes wrong at one step of a phone's logins.
package struct SandboxFault: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The step is answered with this instead of its own outcome.
        case code(Situation)
        /// The request leaves later.
        case delay(Duration)
        /// The request is lost, and the connection with it.
        case drop

        package var name: KindName {
            switch self {
            case .code: .code
            case .delay: .delay
            case .drop: .drop
            }
        }

        /// Whether it affects the request and not the answer.
        var isOnTheWay: Bool { name != .code }
    }

    /// A kind without what belongs to it, as interfaces call it.
    package enum KindName: String, Sendable, CaseIterable { case code, delay, drop }

    /// The codes that a step can be made to answer.
    package static let codes = Situation.all.filter { $0 != .success }

    /// The longest delay that makes sense to wait for.
    package static let maximumDelay: Duration = .seconds(60)

    package var step: SandboxStep
    package var kind: Kind
    /// How often it happens; `nil` until it is taken away.
    package var times: Int?

    /// - Throws: ``JSONError`` that names the member which is wrong.
    package init(_ step: SandboxStep, _ kind: Kind, times: Int? = nil) throws(JSONError) {
        switch kind {
        case .code(let situation):
            guard step.answers else {
                throw JSONError(place: "$.fault.step", problem: "\(step.rawValue) has no answer; use delay or drop")
            }
            guard situation != .success else {
                throw JSONError(place: "$.fault.code", problem: "success is no fault")
            }
        case .delay(let delay):
            guard delay > .zero, delay <= Self.maximumDelay else {
                throw JSONError(place: "$.fault.milliseconds", problem: "must be 1 to 60000")
            }
        case .drop: break
        }
        if let times, !(1...1000).contains(times) {
            throw JSONError(place: "$.fault.times", problem: "must be 1 to 1000")
        }
        self.step = step
        self.kind = kind
        self.times = times
    }

    /// `{"step", "kind": "code" | "delay" | "drop", "code", "milliseconds", "times"}`.
    package var json: JSON {
        var members = [JSON.Member("step", .string(step.rawValue)), JSON.Member("kind", .string(kind.name.rawValue))]
        switch kind {
        case .code(let situation): members.append(JSON.Member("code", .string(situation.rawValue)))
        case .delay(let delay): members.append(JSON.Member("milliseconds", .integer(delay.wholeMilliseconds)))
        case .drop: break
        }
        if let times { members.append(JSON.Member("times", .integer(times))) }
        return .object(members)
    }

    package init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json, path: "$.fault")
        let step = try reader.value("step", "unknown", SandboxStep.init(rawValue:))
        let kind: Kind
        switch try reader.value("kind", "must be code, delay or drop", KindName.init(rawValue:)) {
        case .code:
            kind = .code(
                try reader.value(
                    "code", "is none of Benji's own codes; `benji explain --all` lists them", Situation.named))
        case .delay: kind = .delay(.milliseconds(try reader.integer("milliseconds", in: 1...60_000)))
        case .drop: kind = .drop
        }
        let times = reader.optional("times") == nil ? nil : Int(try reader.integer("times", in: 1...1000))
        try reader.finish()
        try self.init(step, kind, times: times)
    }
}
