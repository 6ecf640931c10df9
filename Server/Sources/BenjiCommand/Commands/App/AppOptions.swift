import Administration
import ArgumentParser
import Authority
import BenjiProtocol
import Requests
import ServerRuntime
import Store

/// An order about an app whose options come from the table of settings (``AppSetting``).
protocol AppOptionUse: Sendable {
    /// Whether it changes an app that there is, so that nothing has a default and lists can be added to.
    static var isChange: Bool { get }
}

enum NewAppUse: AppOptionUse { static let isChange = false }
enum ChangedAppUse: AppOptionUse { static let isChange = true }

/// The options for an app's settings.
///
/// ArgumentParser finds options by the mirror of their group. Here the mirror has one option for each setting, and
/// three for a list that is changed.
struct AppOptions<Use: AppOptionUse>: ParsableArguments, CustomReflectable {
    /// The texts of each option that was given, by its name.
    private var texts: [String: [String]] = [:]
    private var flags: [String: Bool] = [:]

    init() {}

    private enum Form {
        case flag(Flag<Bool>)
        case decision(Flag<Bool?>)
        case text(Option<String?>)
        case texts(Option<[String]>)
    }

    private static var forms: [(name: String, form: Form)] {
        AppSetting.all.flatMap { setting -> [(name: String, form: Form)] in
            let (name, help) = (setting.option, Self.help(of: setting))
            func list(_ name: String, _ help: String) -> (name: String, form: Form) {
                (name, .texts(Option(wrappedValue: [], name: .customLong(name), help: ArgumentHelp(help))))
            }
            if case .flag = setting.shape {
                guard Use.isChange, setting != .wideAddresses else {
                    return [(name, .flag(Flag(wrappedValue: false, name: .customLong(name), help: ArgumentHelp(help))))]
                }
                return [
                    (name, .decision(Flag(name: .customLong(name), inversion: .prefixedNo, help: ArgumentHelp(help))))
                ]
            }
            guard setting.isList else {
                return [(name, .text(Option(name: .customLong(name), help: ArgumentHelp(help))))]
            }
            guard Use.isChange else { return [list(name, "\(help) May be given several times.\(usual(setting))")] }
            return [
                list(name, "\(help) Given once or several times, the new list."),
                list("add-\(name)", "Add this \(setting.noun)\(setting.isSealed ? ", from a file" : "")."),
                list(
                    "remove-\(name)",
                    setting.isSealed
                        ? "Remove the \(setting.noun) with this digest, as app show prints it."
                        : "Remove this \(setting.noun)."),
            ]
        }
    }

    /// The list of a new app for which none is given, if it is not empty.
    private static func usual(_ setting: AppSetting) -> String {
        let usual = (setting.read(Apps.Registration(name: "").app).arrayValue ?? []).compactMap(\.stringValue)
        return usual.isEmpty ? "" : " Without it: \(usual.joined(separator: ", "))."
    }

    private static func help(of setting: AppSetting) -> String {
        let help = setting.help.english
        if setting.isSealed { return "A file with \(help.prefix(1).lowercased())\(help.dropFirst())" }
        guard case .list(.words(let words, _), _) = setting.shape else { return help }
        return "\(help) One of: \(words.joined(separator: ", "))."
    }

    var customMirror: Mirror {
        let children: [(label: String?, value: Any)] = Self.forms.map { name, form in
            switch form {
            case .flag(let flag): (name, flag)
            case .decision(let flag): (name, flag)
            case .text(let option): (name, option)
            case .texts(let option): (name, option)
            }
        }
        return Mirror(self, children: children, displayStyle: .struct)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: OptionName.self)
        for (name, form) in Self.forms {
            let key = OptionName(stringValue: name)
            switch form {
            case .flag: flags[name] = try container.decode(Flag<Bool>.self, forKey: key).wrappedValue
            case .decision: flags[name] = try container.decode(Flag<Bool?>.self, forKey: key).wrappedValue
            case .text:
                texts[name] = try container.decode(Option<String?>.self, forKey: key).wrappedValue.map { [$0] }
            case .texts: texts[name] = try container.decode(Option<[String]>.self, forKey: key).wrappedValue
            }
        }
    }

    private struct OptionName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// The value of a flag; `nil` if it was not given.
    private func flag(_ setting: AppSetting) -> Bool? {
        guard let flag = flags[setting.option] else { return nil }
        return flag || Use.isChange && setting != .wideAddresses ? flag : nil
    }

    func texts(_ setting: AppSetting, _ part: String = "") -> [String] { texts[part + setting.option] ?? [] }

    /// The changes to an app that the options ask for.
    /// - Parameter files: whether the contents of files are read. Before a command runs it is enough to see that they
    ///   were named.
    func changes(readingFiles files: Bool = true) throws -> AppChanges {
        var changes = AppChanges()
        for setting in AppSetting.all {
            if case .flag = setting.shape {
                if let flag = flag(setting) { changes[setting] = .bool(flag) }
            } else if setting.isList {
                changes[list: setting] = try list(setting, files)
            } else if let text = texts(setting).first {
                changes[setting] = try value(setting, of: files ? content(setting, text) : text)
            }
        }
        return changes
    }

    /// The new app that the options describe.
    func registration() throws -> Apps.Registration {
        let changes = try changes()
        var registration = Apps.Registration(name: "")
        registration.acceptsWideAddresses = changes.acceptsWideAddresses
        for setting in AppSetting.all {
            let list = changes[list: setting].list
            guard let value = list.isEmpty ? changes[setting] : .array(list.map { .string($0) }) else { continue }
            try setting.set(value, of: &registration.app)
        }
        return registration
    }

    private func list(_ setting: AppSetting, _ files: Bool) throws -> ListChange {
        func contents(_ part: String) throws -> [String] {
            try texts(setting, part).map { text in
                let text = files ? try content(setting, text, part) : text
                if case .list(let element, _) = setting.shape, let problem = element.problem(of: .string(text)) {
                    throw ValidationError("--\(part)\(setting.option): \(problem)")
                }
                return text
            }
        }
        let change = ListChange(
            try contents(""), adding: try contents("add-"), removing: texts(setting, "remove-"))
        let name = setting.option
        guard change.list.isEmpty || (change.adding + change.removing).isEmpty else {
            throw ValidationError("--\(name) is the new list; leave out --add-\(name) and --remove-\(name)")
        }
        return change
    }

    /// The contents of the file that an option names.
    private func content(_ setting: AppSetting, _ text: String, _ part: String = "") throws -> String {
        guard setting.isSealed else { return text }
        let option = "--\(part)\(setting.option)"
        return setting.isList ? try CommandFile.jsonText(text, for: option) : try PEMFile.publicKey(text, for: option)
    }

    private func value(_ setting: AppSetting, of text: String) throws -> JSON {
        let value: JSON =
            if case .integer = setting.shape { Int64(text).map { .integer($0) } ?? .null } else { .string(text) }
        if let problem = setting.problem(of: value) {
            throw ValidationError("--\(setting.option): \(problem), not '\(text.prefix(64).printable)'")
        }
        return value
    }

    func validate() throws {
        let changes = try changes(readingFiles: false)
        let addresses = changes[list: .serverAddresses]
        guard !changes.acceptsWideAddresses || addresses.named.contains(where: { AppRecord.isWide($0) }) else {
            throw ValidationError(
                "--wide-addresses has nothing to do: no server address here is wider than /16 (IPv4) or /48 (IPv6)")
        }
    }
}
