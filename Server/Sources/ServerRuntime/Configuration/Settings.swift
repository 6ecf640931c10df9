import Foundation
import Requests
import Synchronization
import Yams

/// The settings of one run: flags over environment over file, each read by its key, each error naming key and origin.
///
/// `nas.pgw.secret` is `--set nas.pgw.secret=…`, `BENJI_NAS_PGW_SECRET`, or `nas: {pgw: {secret: …}}` in the file.
package struct Settings: Sendable, CustomStringConvertible, CustomReflectable {
    /// Prints no value: some are secrets.
    package var description: String { "Settings(\(keys.joined(separator: ", ")))" }
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }

    /// The keys that there are.
    private let table: ConfigurationKeys
    private let flags: [String: String]
    /// Variables of the environment that may be settings, by their own names.
    private let variables: [String: String]
    private let fromFile: [String: String]
    private let file: String?
    /// The folder of the file, from which paths in it count.
    private let folder: URL?
    /// The keys that were requested so far, present or not.
    private let read = ReadKeys()

    /// - Parameters:
    ///   - file: YAML (JSON is YAML too), or `nil`.
    ///   - flags: keys and values from the command line.
    ///   - keys: the keys that there are; another one is refused.
    package init(
        file: String?, flags: [String: String], environment: [String: String], keys table: ConfigurationKeys
    ) throws {
        for key in flags.keys { try Self.check(key, from: "the command line", table) }
        fromFile = try file.map(Self.flatten) ?? [:]
        if let file { for key in fromFile.keys { try Self.check(key, from: file, table) } }
        variables = environment.filter { $0.key.hasPrefix(Self.prefix) && !Self.otherVariables.contains($0.key) }
        for variable in variables.keys.sorted() { try Self.check(variable: variable, table) }
        self.table = table
        self.flags = flags
        self.file = file
        folder = file.map { URL(fileURLWithPath: $0).standardizedFileURL.deletingLastPathComponent() }
        for key in table.all where key.isPath && found(key.name) == "" { throw error(key.name, "is empty") }
    }

    /// Keys of flags and file, in order. Variables are known by the keys that are asked for.
    private var keys: [String] { Set(flags.keys).union(fromFile.keys).sorted() }

    /// Where the value of a key is from, for messages.
    private func originName(_ key: String) -> String {
        if flags[key] != nil { return "the command line" }
        if variables[Self.variable(of: key)] != nil { return "the environment" }
        return file ?? "the environment"
    }

    /// A default path: it lies next to the file, or in the present folder if there is none.
    package func besideFile(_ name: String) -> String { folder?.appendingPathComponent(name).path ?? "./\(name)" }

    /// How messages name the origin of a default path.
    package var defaultOrigin: String { file.map { "the default, beside \($0)" } ?? "the default" }

    /// Fails for a setting without effect in the role, because its author believes that it works.
    package func refuseOthers(than role: ServerRole) throws(ConfigurationError) {
        func refuse(_ key: String, named name: String, from origin: String) throws(ConfigurationError) {
            let roles = table.declaration(of: key)?.roles ?? ServerRole.allCases
            guard !roles.contains(role) else { return }
            let others = roles.map(\.rawValue).joined(separator: " and ")
            throw ConfigurationError(
                key: name,
                problem:
                    "has no effect in the role \(role.rawValue) (from \(origin)); it is for the "
                    + "role\(roles.count > 1 ? "s" : "") "
                    + others)
        }
        for key in keys { try refuse(key, named: key, from: originName(key)) }
        for variable in variables.keys.sorted() {
            try refuse(key(of: variable), named: variable, from: "the environment")
        }
    }

    /// Call it when everything has been read. It fails for a key that nothing asked for, because its author believes
    /// that it works.
    package func refuseUnused() throws(ConfigurationError) {
        let asked = read.all
        for key in keys where !asked.contains(key) {
            throw ConfigurationError(key: key, problem: "has no effect (from \(originName(key))); \(table.remedy(key))")
        }
        let known = Set(asked.map(Self.variable(of:)))
        for variable in variables.keys.sorted() where !known.contains(variable) {
            throw ConfigurationError(
                key: variable, problem: "has no effect (from the environment); \(table.remedy(key(of: variable)))")
        }
    }

    /// Accepts settings of a feature that is switched off.
    package func allow(_ prefix: String) { for key in keys where key.hasPrefix(prefix) { read.insert(key) } }

    /// Where a key was set; `nil` if nowhere.
    package func origin(_ key: String) -> String? { found(key) == nil ? nil : originName(key) }

    /// The fault in the rights of the file, if there are secrets in it.
    package var exposure: String? {
        guard let file, let secret = keys.first(where: { $0.hasSuffix("secret") && originName($0) == file }) else {
            return nil
        }
        let resolved = URL(fileURLWithPath: file).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: resolved)
        let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0
        guard mode & 0o006 != 0 else { return nil }
        return "\(file) holds \(secret), and everybody on this machine may \(mode & 0o004 != 0 ? "read" : "write") it; "
            + "run: chmod o-rwx \(file)"
    }

    /// `nas.pgw.secret` is `BENJI_NAS_PGW_SECRET`.
    private static func variable(of key: String) -> String {
        prefix + String(key.uppercased().map { $0 == "." || $0 == "-" ? "_" : $0 })
    }

    private static let prefix = "BENJI_"

    /// Variables that are read elsewhere: the master key, the models of faces, and what builds and scripts of this
    /// repository go by.
    private static let otherVariables: Set<String> = [
        "BENJI_ADMIN_TOKEN", "BENJI_CONFIG", "BENJI_MASTER_KEY", "BENJI_FACE", "BENJI_APPLE_STANDINS", "BENJI_BINARY",
        "BENJI_PAGE_GALLERY", "BENJI_PATIENCE",
        "BENJI_PROGRESS_SECONDS", "BENJI_SANDBOX", "BENJI_SERVER", "BENJI_SKIP_APT", "BENJI_TOOLS",
    ]

    /// The key that a variable most likely stands for: names in the place of `*` may hold underscores of their own.
    private func key(of variable: String) -> String {
        for key in table.all {
            let parts = Self.variable(of: key.name).split(separator: "*", omittingEmptySubsequences: false)
            guard parts.count == 2 else {
                if variable == Self.variable(of: key.name) { return key.name }
                continue
            }
            if variable.hasPrefix(parts[0]), variable.hasSuffix(parts[1]) { return key.name }
        }
        return variable
    }

    private static func check(variable: String, _ table: ConfigurationKeys) throws(ConfigurationError) {
        let isKnown = table.all.contains { key in
            // A name in the place of `*` may hold underscores of its own, so only the text around it is compared.
            let parts = Self.variable(of: key.name).split(separator: "*", omittingEmptySubsequences: false)
            guard parts.count == 2 else { return variable == Self.variable(of: key.name) }
            return variable.hasPrefix(parts[0]) && variable.hasSuffix(parts[1])
                && variable.utf8.count > parts[0].utf8.count + parts[1].utf8.count
        }
        guard isKnown else {
            let words = variable.dropFirst(prefix.count).lowercased().replacing("_", with: ".")
            let hint =
                table.suggestion(for: words).map { "did you mean \(Self.variable(of: $0))?" }
                ?? "nas.pgw.secret is BENJI_NAS_PGW_SECRET"
            throw ConfigurationError(
                key: variable, problem: "unknown variable in the environment; \(table.remarked(hint))")
        }
    }

    private static func check(
        _ key: String, from origin: String, _ table: ConfigurationKeys
    ) throws(ConfigurationError) {
        guard table.declaration(of: key) != nil else {
            throw ConfigurationError(key: key, problem: "unknown key in \(origin); \(table.hint(for: key))")
        }
    }

    /// The fault and its place, without the lines around it, which may be secrets or no text.
    private static func problem(_ error: any Error, in text: String) -> String {
        switch error {
        case YamlError.scanner(_, let problem, let mark, _), YamlError.parser(_, let problem, let mark, _),
            YamlError.composer(_, let problem, let mark, _):
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let isTab = lines.indices.contains(mark.line - 1) && lines[mark.line - 1].drop { $0 == " " }.first == "\t"
            return "line \(mark.line), column \(mark.column): "
                + (isTab ? "a tab; indent with spaces" : problem.printable)
        default:
            return "\(error)".split(separator: "\n").first.map { String($0).printable } ?? "it cannot be read"
        }
    }

    /// The file's leaves by dotted key; lists are joined with commas.
    ///
    /// swift-configuration's YAML provider cannot do this. It answers for requested keys and lists none, so an unknown
    /// key in a file would go unnoticed.
    private static func flatten(file: String) throws -> [String: String] {
        let data: Data
        do { data = try Data(contentsOf: URL(fileURLWithPath: file)) } catch {
            throw ConfigurationError(
                key: file, problem: "cannot be read: \(CommandFile.readingProblem(file) ?? "it is not a file")")
        }
        let root: Node?
        let text = String(decoding: data, as: UTF8.self)
        do { root = try Yams.compose(yaml: text) } catch {
            throw ConfigurationError(key: file, problem: "not YAML: \(Self.problem(error, in: text))")
        }
        var leaves: [String: String] = [:]
        func walk(_ node: Node, _ path: [String]) throws {
            switch node {
            case .mapping(let mapping):
                for (key, value) in mapping { try walk(value, path + [key.string ?? "?"]) }
            case .sequence(let sequence):
                let items = try sequence.map { item -> String in
                    guard let text = item.scalar?.string else {
                        throw ConfigurationError(
                            key: path.joined(separator: "."), problem: "must be a list of plain values in \(file)")
                    }
                    return text
                }
                leaves[path.joined(separator: ".")] = items.joined(separator: ",")
            case .scalar(let scalar): leaves[path.joined(separator: ".")] = scalar.string
            default: throw ConfigurationError(key: path.joined(separator: "."), problem: "aliases are not read")
            }
        }
        switch root {
        case nil: break
        case .mapping?, .alias?: if let root { try walk(root, []) }
        case .scalar(let scalar)? where scalar.string.isEmpty: break
        case .scalar?, .sequence?:
            throw ConfigurationError(key: file, problem: "must be settings, such as: data: ./benji-data")
        }
        return leaves
    }

    private func error(_ key: String, _ problem: String) -> ConfigurationError {
        ConfigurationError(key: key, problem: "\(problem) (from \(originName(key)))")
    }

    package func string(_ key: String) -> String? {
        read.insert(key)
        return found(key)
    }

    /// The value as it was set; a path of the file as it counts from anywhere.
    private func found(_ key: String) -> String? {
        if let value = flags[key] ?? variables[Self.variable(of: key)] { return value }
        guard let value = fromFile[key] else { return nil }
        guard table.declaration(of: key)?.isPath == true, !value.isEmpty, !value.hasPrefix("/") else { return value }
        return URL(fileURLWithPath: value, relativeTo: folder).standardizedFileURL.path
    }

    package func required(_ key: String) throws(ConfigurationError) -> String {
        guard let value = string(key) else {
            throw ConfigurationError(key: key, problem: "missing; \(meaning(key))")
        }
        return value
    }

    package func value<Value>(
        _ key: String, default fallback: Value? = nil, _ allowed: String, _ make: (String) -> Value?
    ) throws(ConfigurationError) -> Value {
        Self.refuseNumber(Value.self)
        return try parsed(key, default: fallback, allowed, make)
    }

    private func parsed<Value>(
        _ key: String, default fallback: Value?, _ allowed: String, _ make: (String) -> Value?
    ) throws(ConfigurationError) -> Value {
        guard let text = string(key) else {
            if let fallback { return fallback }
            throw ConfigurationError(key: key, problem: "missing; \(meaning(key))")
        }
        guard let value = make(text) else { throw error(key, "must be \(allowed)") }
        return value
    }

    /// A whole number within the bounds that its key declares.
    package func number(_ key: String, default fallback: Int? = nil) throws(ConfigurationError) -> Int {
        let bounds = self.bounds(key)
        return try parsed(key, default: fallback, bounds.description, bounds.number)
    }

    /// A number of seconds within the bounds that its key declares.
    package func seconds(_ key: String, default fallback: Duration) throws(ConfigurationError) -> Duration {
        .seconds(try number(key, default: Int(fallback.components.seconds)))
    }

    /// A comma-separated list of whole numbers within the bounds that the key declares; empty if the key is absent.
    package func numbers(_ key: String) throws(ConfigurationError) -> [Int] {
        let bounds = self.bounds(key)
        return try parsedList(key, bounds.description, bounds.number, isUnique: false)
    }

    private func bounds(_ key: String) -> NumberBounds {
        guard let bounds = table.declaration(of: key)?.bounds else {
            preconditionFailure("\(key) is read as a number and declared without bounds")
        }
        return bounds
    }

    /// Keeps code from reading a number that has no upper bound: ``number(_:default:)`` takes the bounds from the
    /// declaration.
    private static func refuseNumber(_ type: Any.Type) {
        precondition(
            !(type is any FixedWidthInteger.Type || type is any BinaryFloatingPoint.Type || type == Duration.self),
            "a number is read by number(_:default:), seconds(_:default:) or numbers(_:)")
    }

    package func flag(_ key: String, default fallback: Bool) throws(ConfigurationError) -> Bool {
        try value(key, default: fallback, "true or false") { Bool($0) }
    }

    /// A comma-separated list; empty if the key is absent.
    /// - Parameter isUnique: whether nothing may be there twice.
    package func list<Value>(
        _ key: String, _ allowed: String, _ make: (String) -> Value?, isUnique: Bool = false
    ) throws(ConfigurationError) -> [Value] {
        Self.refuseNumber(Value.self)
        return try parsedList(key, allowed, make, isUnique: isUnique)
    }

    private func parsedList<Value>(
        _ key: String, _ allowed: String, _ make: (String) -> Value?, isUnique: Bool
    ) throws(ConfigurationError) -> [Value] {
        guard let text = string(key) else { return [] }
        var values: [Value] = []
        var known: Set<String> = []
        for part in text.split(separator: ",") {
            let part = part.trimmingCharacters(in: .whitespaces)
            guard let value = make(part) else { throw error(key, "each must be \(allowed)") }
            guard known.insert(part).inserted || !isUnique else { throw error(key, "\(part) is there twice") }
            values.append(value)
        }
        return values
    }

    private func meaning(_ key: String) -> String {
        table.declaration(of: key).map { "\($0.explanation), for example \($0.example)" } ?? ""
    }
}

/// The keys that were asked for while a configuration was made.
private final class ReadKeys: Sendable {
    private let keys = Mutex<Set<String>>([])

    var all: Set<String> { keys.withLock { $0 } }
    func insert(_ key: String) { keys.withLock { _ = $0.insert(key) } }
}
