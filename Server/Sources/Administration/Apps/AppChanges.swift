package import Authority
package import BenjiProtocol
package import Requests
package import Store

/// The changes to an app. A setting that is absent keeps its value.
package struct AppChanges: Hashable, Sendable {
    private var values: [AppSetting: JSON] = [:]
    private var lists: [AppSetting: ListChange] = [:]
    /// The settings that get no value, or the policy's.
    package var cleared: Set<AppSetting> = []

    package init() {}

    /// The new value of a setting that is no list; `nil` if it stays.
    package subscript(_ setting: AppSetting) -> JSON? {
        get { values[setting] }
        set { values[setting] = newValue }
    }

    /// The change to a list.
    package subscript(list setting: AppSetting) -> ListChange {
        get { lists[setting] ?? ListChange() }
        set { lists[setting] = newValue.isEmpty ? nil : newValue }
    }

    package var acceptsWideAddresses: Bool { self[.wideAddresses] == true }

    /// Whether it names anything that would change.
    package var isEmpty: Bool { named.allSatisfy { $0 == .wideAddresses } && cleared.isEmpty }

    /// The settings that get another value.
    private var named: [AppSetting] { AppSetting.all.filter { values[$0] != nil || lists[$0] != nil } }

    /// The first changed setting that only an operator may set, spelled as on the command line.
    package var operatorsPart: String? {
        AppSetting.all.first { setting in
            switch setting.decider {
            case .operator: named.contains(setting) || cleared.contains(setting)
            case .operatorToAllow: self[setting] == true
            case .developer, .developerToShorten: false
            }
        }?.option
    }

    /// Checks that no lifetime became longer: a developer may only shorten them.
    static func checkLives(from before: AppRecord, to after: AppRecord) throws(Refusal) {
        for setting in AppSetting.all where setting.decider == .developerToShorten {
            guard let old = setting.read(before).integerValue else { continue }
            guard setting.read(after).integerValue.map({ $0 > old }) ?? true else { continue }
            throw Refusal(
                .orderNotPermitted,
                "\(setting.option): the operator decides about longer lives, a developer only about shorter ones")
        }
    }

    func apply(to app: inout AppRecord) throws(Refusal) {
        for setting in named where cleared.contains(setting) {
            throw Refusal(.parameterInvalid, "\(setting.clearName): is set and taken away at once")
        }
        for setting in cleared { try setting.set(.null, of: &app) }
        app.settleOpenIDFromAnywhere(
            self[.openIDFromAnywhere]?.boolValue, namesAddresses: !self[list: .serverAddresses].named.isEmpty)
        for setting in named {
            if let value = values[setting] { try setting.set(value, of: &app) }
            guard var change = lists[setting] else { continue }
            var list = (setting.read(app).arrayValue ?? []).compactMap(\.stringValue)
            if setting.isSealed {
                change.removing = change.removing.map { named in
                    list.first { AppRecord.digest($0) == named } ?? named
                }
            }
            try change.apply(to: &list, of: setting.noun)
            try setting.set(.array(list.map { .string($0) }), of: &app)
        }
    }
}

extension AppChanges: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: MemberName.self)
        for setting in AppSetting.all where container.contains(MemberName(setting.name)) {
            let name = MemberName(setting.name)
            if setting.isList {
                lists[setting] = try container.decode(ListChange.self, forKey: name)
            } else {
                values[setting] = try container.decode(setting.shape, forKey: name)
            }
        }
        let clear = MemberName("clear")
        let settings = AppSetting.all.filter(\.isClearable)
        for name in try container.decodeIfPresent([String].self, forKey: clear) ?? [] {
            guard let setting = settings.first(where: { $0.clearName == name }) else {
                throw DecodingError.dataCorruptedError(
                    forKey: clear, in: container,
                    debugDescription: "must be of: \(settings.map(\.clearName).joined(separator: ", "))")
            }
            cleared.insert(setting)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MemberName.self)
        for (setting, value) in values { try container.encode(value, forKey: MemberName(setting.name)) }
        for (setting, change) in lists { try container.encode(change, forKey: MemberName(setting.name)) }
        try container.encode(cleared.map(\.clearName).sorted(), forKey: MemberName("clear"))
    }
}
