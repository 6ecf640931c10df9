import Administration
import BenjiProtocol
import Requests
import Store

/// The fields of an app's settings, by group.
enum AppField {
    typealias Field = SettingField<AppChanges>

    static let groups: [(title: String, fields: [Field])] = [
        (
            "groupApp",
            [
                field(.name, .text) { $0.name = $1.text },
                field(.bundles, .lines) { $0.bundles = $1.list },
                field(.owner, .text) { changes, change in
                    if !cleared(.owner, change, &changes) { changes.owner = change.text }
                },
            ]
        ),
        (
            "groupServer",
            [
                field(.serverAddresses, .lines) { $0.serverAddresses = $1.list },
                field(.wideAddresses, .toggle) { $0.acceptsWideAddresses = $1.isOn },
                field(.openIDFromAnywhere, .toggle) { $0.openIDFromAnywhere = $1.isOn },
                field(.sign, .choice(SignAlgorithm.allCases.map(\.rawValue))) {
                    $0.signAlgorithm = SignAlgorithm(rawValue: $1.text)
                },
                field(.rsaPublicKey, .sealed(canRemove: true)) { changes, change in
                    changes.rsaPublicKey = change.list.adding.first
                    if changes.rsaPublicKey == nil { changes.cleared.insert(.rsaPublicKey) }
                },
                field(.requestTimeTolerance, .number) { (changes, change) throws(Refusal) in
                    guard !cleared(.requestTimeTolerance, change, &changes) else { return }
                    changes.requestTimeTolerance = try change.number("requestTimeTolerance")
                },
                field(.unsignedRequests, .toggle) { $0.unsignedRequests = $1.isOn },
            ]
        ),
        (
            "groupLogin",
            [
                field(.capabilities, .choices(Capability.allCases.map(\.rawValue))) { $0.capabilities = $1.list },
                field(.workflow, .choice(Workflow.allCases.map(\.rawValue))) {
                    $0.workflow = Workflow(rawValue: $1.text)
                },
                field(.leastAssurance, .choice(Assurance.allCases.map(\.rawValue))) {
                    $0.leastAssurance = Assurance(rawValue: $1.text)
                },
                field(.attesters, .sealed(canRemove: true)) { $0.attesters = $1.list },
                field(.appleTeam, .text) { (changes, change) throws(Refusal) in
                    guard !cleared(.appleTeam, change, &changes) else { return }
                    changes.appleTeam = change.text
                },
                field(.developmentKeys, .toggle) { $0.developmentKeys = $1.isOn },
                field(.phonesWithoutKey, .toggle) { $0.phonesWithoutKey = $1.isOn },
                field(.numberWithoutPage, .toggle) { $0.numberWithoutPage = $1.isOn },
            ]
        ),
        (
            "groupLimits",
            [
                field(.dailyQuota, .number) { (changes, change) throws(Refusal) in
                    guard !cleared(.dailyQuota, change, &changes) else { return }
                    guard let quota = Int(exactly: try change.number("dailyQuota")), quota >= 1 else {
                        throw Refusal(.parameterInvalid, "dailyQuota: 1 or more; empty ends the limit")
                    }
                    changes.dailyQuota = quota
                },
                field(.scripLifetime, .number) { (changes, change) throws(Refusal) in
                    guard !cleared(.scripLifetime, change, &changes) else { return }
                    changes.scripLifetime = try change.number("scripLifetime")
                },
                field(.tokenLifetime, .number) { (changes, change) throws(Refusal) in
                    guard !cleared(.tokenLifetime, change, &changes) else { return }
                    changes.tokenLifetime = try change.number("tokenLifetime")
                },
            ]
        ),
        (
            "groupPages",
            [
                field(.requiresPageReview, .toggle) { $0.requiresPageReview = $1.isOn },
                field(.approvedContent, .lines) { $0.approvedContent = $1.list },
                field(.sourceIDs, .lines) { $0.sourceIDs = $1.list },
            ]
        ),
    ]

    private static func field(
        _ setting: AppSetting, _ kind: FieldKind,
        _ apply: @escaping @Sendable (inout AppChanges, FieldChange) throws(Refusal) -> Void
    ) -> Field {
        let name = setting.rawValue
        return Field(
            name: name, help: setting.help, kind: kind,
            present: { app in
                switch kind {
                case .toggle: return app[name] == true ? ["true"] : []
                case .text, .number, .choice, .picture:
                    return [app[name]?.stringValue ?? app[name]?.integerValue.map { "\($0)" }].compactMap(\.self)
                case .sealed where setting == .rsaPublicKey:
                    return [app["rsaKeyDigest"]?.stringValue].compactMap(\.self)
                case .lines, .choices, .sealed: return (app[name]?.arrayValue ?? []).compactMap(\.stringValue)
                }
            }, apply: apply)
    }

    /// Whether nothing was typed, so that the value is taken away.
    private static func cleared(
        _ clearable: AppChanges.Clearable, _ change: FieldChange, _ changes: inout AppChanges
    ) -> Bool {
        guard change.text.isEmpty else { return false }
        changes.cleared.insert(clearable)
        return true
    }

    /// Returns the changes that a form requests.
    static func changes(_ visit: ConsoleVisit) throws(Refusal) -> AppChanges {
        var changes = AppChanges()
        for field in groups.flatMap(\.fields) { try field.read(visit, into: &changes) }
        return changes
    }
}
