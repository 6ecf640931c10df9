package import ArgumentParser
import Foundation

/// The flags by which every command that needs an installation finds its configuration.
package struct ConfigurationOptions: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: """
            Configuration file in YAML. By default $BENJI_CONFIG, or /etc/benji/benji.yaml if it is there and the \
            command line names no \
            data directory. See docs/operations/install.md.
            """)
    package var config: String?

    @Option(help: "Data directory. Short for --set data=…")
    package var data: String?

    @Option(
        name: .customLong("set"), help: ArgumentHelp("One setting, over file and environment.", valueName: "key=value"))
    package var settings: [String] = []

    package init() {}

    /// The options as they must be given again to name the same installation.
    package var named: String { Self.named(config: config, data: data, settings: settings) }

    package static func named(config: String?, data: String?, settings: [String] = []) -> String {
        let given =
            [("-c", config), ("--data", data)].compactMap { name, value in value.map { (name, $0) } }
            + settings.filter { $0.hasPrefix("data=") }.map { ("--set", $0) }
        return given.map { " \($0) \(Self.quoted($1))" }.joined()
    }

    /// As a shell reads it as one word.
    private static func quoted(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || "/._-=+:,@".contains($0) }
        return isPlain ? text : "'\(text.replacing("'", with: "'\\''"))'"
    }

    private static let usualFile = "/etc/benji/benji.yaml"

    /// The configuration file that is read; `nil` if none is.
    private var file: String? {
        if let config { return config }
        if let named = ProcessInfo.processInfo.environment["BENJI_CONFIG"], !named.isEmpty { return named }
        // An option that names a data directory means another installation than the machine's.
        let namesData = data != nil || settings.contains { $0.hasPrefix("data=") }
        return !namesData && FileManager.default.fileExists(atPath: Self.usualFile) ? Self.usualFile : nil
    }

    /// The settings that the options name.
    ///
    /// - Parameter keys: the keys that there are.
    package func read(keys: ConfigurationKeys) throws -> Settings {
        var flags: [String: String] = [:]
        for setting in settings {
            let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else {
                throw ValidationError("--set \(setting.prefix(40)): write key=value")
            }
            guard flags.updateValue(String(parts[1]), forKey: String(parts[0])) == nil else {
                throw ValidationError("--set \(parts[0]): given twice")
            }
        }
        if let data {
            guard flags["data"] == nil else { throw ValidationError("give --data or --set data=…, not both") }
            flags["data"] = data
        }
        return try Settings(
            file: file, flags: flags, environment: ProcessInfo.processInfo.environment, keys: keys)
    }
}
