import BenjiProtocol
import Store

/// Counts of steps of logins, as orders answer them: how many came how far, and how each step ended in each unit of
/// time.
struct LoginTally {
    private let unit: CountLogins.Unit
    private var reached: [LoginStage: Int] = [:]
    /// The counts by step, ending and unit of time. `hour` is the unit's first; `app` is the first that was counted.
    private var sums: [LoginCount: Int] = [:]
    /// Steps that ended in a refusal. What a gateway refused is counted as the refusal of the same request.
    private(set) var refused = 0

    init(_ counts: [LoginCount], by unit: CountLogins.Unit) {
        self.unit = unit
        let app = counts.first?.app
        for count in counts {
            for stage in LoginStage.reached(count) { reached[stage, default: 0] += count.count }
            if count.party != .gateway, count.situation.isRefusal { refused += count.count }
            var key = count
            key.count = 0
            key.app = app ?? count.app
            key.hour = unit.begin(count.hour)
            sums[key, default: 0] += count.count
        }
    }

    func reached(_ stage: LoginStage) -> Int { reached[stage, default: 0] }

    var stages: JSON {
        .array(
            LoginStage.allCases.map {
                .object(["stage": .string($0.rawValue), "count": .integer(reached($0))])
            })
    }

    /// The members of an answer besides the app.
    func members(of hours: Range<Int64>) -> [JSON.Member] {
        [
            JSON.Member("unit", .string(unit.rawValue)), JSON.Member("since", Self.moment(hours.lowerBound)),
            JSON.Member("until", Self.moment(hours.upperBound)), JSON.Member("stages", stages),
            JSON.Member("steps", steps),
        ]
    }

    private var steps: JSON {
        let ordered = sums.sorted { one, other in
            one.key.hour != other.key.hour ? one.key.hour < other.key.hour : Self.words(one.key) < Self.words(other.key)
        }
        return .array(
            ordered.map { key, count in
                .object([
                    "at": Self.moment(key.hour), "carrier": key.carrier.map { .string($0.rawValue) },
                    "party": .string(key.party.rawValue), "step": .string(key.step),
                    "situation": .string(key.situation.rawValue), "count": .integer(count),
                    "stages": .array(
                        LoginStage.allCases.filter(LoginStage.reached(key).contains).map { .string($0.rawValue) }),
                ])
            })
    }

    private static func moment(_ hour: Int64) -> JSON { .integer(hour * 3_600_000) }

    private static func words(_ count: LoginCount) -> String {
        "\(count.carrier?.rawValue ?? "") \(count.party.rawValue) \(count.step) \(count.situation.rawValue)"
    }
}
