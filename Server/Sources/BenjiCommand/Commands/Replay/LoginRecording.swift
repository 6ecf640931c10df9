import Administration
import Authority
@_spi(Server) import BenjiProtocol
import Endpoints
import Requests
import Store

/// A login as one file: the steps in order and how they ended, the carrier and the kind of app. It names no person.
struct LoginRecording: Sendable {
    struct Step: Hashable, Sendable {
        var party: TraceEvent.Party
        var name: String
        var situation: Situation
    }

    var carrier: Carrier
    var capabilities: Set<Capability>
    var leastAssurance: Assurance
    var releasesNumberWithoutPage: Bool
    var steps: [Step]

    /// Reads what `benji trace export` writes.
    init(_ json: JSON) throws(JSONError) {
        guard json["format"]?.stringValue == ExportTrace.format else {
            throw JSONError(place: "format", problem: "must be \(ExportTrace.format), as benji trace export writes it")
        }
        var reader = try JSONObjectReader(json)
        carrier = try reader.value("carrier", "must be a carrier's name", Carrier.init(rawValue:))
        let app = try reader.value("app")
        var appReader = try JSONObjectReader(app, path: "app")
        capabilities = Set(
            try appReader.array("capabilities").compactMap { $0.stringValue.flatMap(Capability.init(rawValue:)) })
        leastAssurance = try appReader.value("leastAssurance", "must be an assurance", Assurance.init(rawValue:))
        releasesNumberWithoutPage = try appReader.bool("numberWithoutPage")
        steps = []
        for (position, step) in try reader.array("steps").enumerated() {
            var stepReader = try JSONObjectReader(step, path: "steps[\(position)]")
            steps.append(
                Step(
                    party: try stepReader.value(
                        "party", "must be one of: \(TraceEvent.Party.allCases.map(\.rawValue).joined(separator: ", "))",
                        TraceEvent.Party.init(rawValue:)),
                    name: try stepReader.string("step", length: 1...64),
                    situation: try stepReader.value("situation", "must be a situation", Situation.init(rawValue:))))
        }
        guard !steps.isEmpty else { throw JSONError(place: "steps", problem: "must not be empty") }
    }

    /// Why the sandbox cannot play it; `nil` if it can.
    var obstacle: String? {
        for (position, step) in steps.enumerated() {
            guard let known = Self.playable[step.name] else {
                return
                    "step \(position + 1), \(step.name.printable): the sandbox plays logins of the device dialect with "
                    + "the server API, "
                    + "loginTokenValidate and tokenValidate"
            }
            guard step.situation == .success || known.contains(step.situation) else {
                return
                    "step \(position + 1), \(step.name): \(step.situation.rawValue) cannot be brought about in the "
                    + "sandbox"
            }
        }
        return nil
    }

    /// The steps that can be played, and what each can be made to end in beside success.
    static let playable: [String: Set<Situation>] = [
        "sighting": [], "consent": [],
        "prefetch": [.attestationInvalid, .assuranceTooLow],
        "authorize": [
            .appSuspended, .appNotAllowed, .scripExpired, .scripReused, .scripStolen, .subscriptionMismatch,
            .addressStale,
            .assuranceTooLow, .attestationInvalid, .capabilityMissing, .consentMissing, .consentInvalid,
        ],
        ServerAPIEndpoints.Path.redeem.rawValue: redeemed, "loginTokenValidate": redeemed,
        ServerAPIEndpoints.Path.verify.rawValue: redeemed.union([.numberDiffers]),
        "tokenValidate": redeemed.union([.numberDiffers]),
    ]

    private static let redeemed: Set<Situation> = [
        .tokenSpent, .tokenExpired, .tokenWrongPurpose, .assuranceTooLow, .subscriptionChanged, .quotaExceeded,
    ]

    /// Whether a step is a token's last.
    static func redeems(_ step: String) -> Bool { playable[step]?.contains(.tokenSpent) == true }
}
