import Administration
import Authority
import BenjiProtocol
import FoundationEssentials
import Requests

/// The fields of an app's settings, by group, from the table of settings (``AppSetting``).
enum AppField {
    typealias Field = SettingField<AppChanges>

    static let groups: [(title: String, fields: [Field])] = AppSetting.Group.allCases.map { group in
        ("group\(group.rawValue.capitalized)", AppSetting.all.filter { $0.group == group }.map(field))
    }

    private static func kind(of setting: AppSetting) -> FieldKind {
        switch setting.shape {
        case _ where setting.isSealed: .sealed(canRemove: true)
        case .flag: .toggle
        case .integer: .number
        case .words(let words, _): .choice(words)
        case .list(.words(let words, _), _): .choices(words)
        case .list: .lines
        default: .text
        }
    }

    private static func field(_ setting: AppSetting) -> Field {
        let (name, kind) = (setting.name, kind(of: setting))
        return Field(
            name: name, help: setting.help, kind: kind,
            present: { app in
                if setting.isList { return (app[name]?.arrayValue ?? []).compactMap(\.stringValue) }
                if case .toggle = kind { return app[name] == true ? ["true"] : [] }
                let value = setting.isSealed ? app["rsaKeyDigest"] : app[name]
                return [value?.stringValue ?? value?.integerValue.map { "\($0)" }].compactMap(\.self)
            },
            apply: { (changes, change) throws(Refusal) in
                if setting.isList {
                    changes[list: setting] = change.list
                    return
                }
                let text = setting.isSealed ? change.list.adding.first ?? "" : change.text
                guard !text.isEmpty || !setting.isClearable else {
                    changes.cleared.insert(setting)
                    return
                }
                let value: JSON =
                    switch kind {
                    case .toggle: .bool(change.isOn)
                    case .number: .integer(try change.number(name))
                    default: .string(text)
                    }
                if let problem = setting.problem(of: value) {
                    throw Refusal(.parameterInvalid, "\(name): \(problem)")
                }
                changes[setting] = value
            })
    }

    /// Returns the changes that a form requests.
    static func changes(_ visit: ConsoleVisit) throws(Refusal) -> AppChanges {
        var changes = AppChanges()
        for field in groups.flatMap(\.fields) { try field.read(visit, into: &changes) }
        return changes
    }
}
