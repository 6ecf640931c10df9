import ArgumentParser
import Foundation
import ServerRuntime

/// An option that the command does not have, or that is given twice.
///
/// Otherwise the parser would name other errors first, take the last of two values silently, and answer `--version` of
/// every command with the program's.
struct MisusedOption: Equatable {
    /// The command's words: "benji app create".
    var command: String
    var problem: String

    /// The options of every command; the parser answers them.
    private static let answered: Set<String> = [
        "--help", "-h", "--help-hidden", "--experimental-dump-help", "--generate-completion-script",
    ]

    /// Whether the parser may have taken one without a word: a name that is there twice, in one form or two, and
    /// `--version`.
    static func mayBeTaken(in arguments: [String]) -> Bool {
        let names = arguments.filter { $0.hasPrefix("-") }.map { word in
            let name = word.prefix { $0 != "=" }
            return name.hasPrefix("--no-") ? "--" + name.dropFirst("--no-".count) : String(name)
        }
        // One dash and a letter may be another form of any name.
        return Set(names).count < names.count || names.contains { $0 == "--version" || !$0.hasPrefix("--") }
    }

    /// The first such option; `nil` if there is none, or if no command can be told.
    static func first(in arguments: [String], of root: any ParsableCommand.Type) -> MisusedOption? {
        var command: any ParsableCommand.Type = root
        var words = [root.configuration.commandName ?? "benji"]
        var rest = arguments[...]
        while let word = rest.first, let next = command.configuration.subcommands.first(where: { $0.isCalled(word) }) {
            command = next
            words.append(word)
            rest.removeFirst()
        }
        if let usual = command.configuration.defaultSubcommand { command = usual }
        // Most calls have no option, and the parser's description is long.
        guard words.count > 1, rest.contains(where: { $0.hasPrefix("-") }), let options = Options(of: command) else {
            return nil
        }
        return options.problem(in: rest).map { MisusedOption(command: words.joined(separator: " "), problem: $0) }
    }

    var text: String { "\(command): \(problem)\nSee '\(command) --help' for more information." }

    /// The options of one command, as the parser describes them.
    private struct Options {
        private struct Description: Decodable {
            struct Name: Decodable {
                var kind: String
                var name: String
                var written: String { (kind == "long" ? "--" : "-") + name }
            }
            struct Argument: Decodable {
                var kind: String
                var isRepeating: Bool
                var parsingStrategy: String
                var names: [Name]?
            }
            struct Command: Decodable { var arguments: [Argument]? }
            var command: Command
        }

        private struct Option {
            /// The same for a flag and its opposite.
            var identity: String
            var takesValue: Bool
            var isRepeating: Bool
        }

        private var named: [String: Option] = [:]

        init?(of command: any ParsableCommand.Type) {
            guard
                let description = try? JSONDecoder().decode(
                    Description.self, from: Data(command._dumpHelp().utf8))
            else { return nil }
            // Takes whatever comes.
            if description.command.arguments?.contains(where: { $0.parsingStrategy == "allRemainingInput" }) == true {
                return nil
            }
            for argument in description.command.arguments ?? [] {
                let names = (argument.names ?? []).map(\.written)
                for name in names {
                    named[name] = Option(
                        identity: names[0], takesValue: argument.kind == "option", isRepeating: argument.isRepeating)
                }
            }
            for name in named.keys where name.hasPrefix("--no-") {
                let opposite = "--" + name.dropFirst("--no-".count)
                if let option = named[opposite] { named[name]?.identity = option.identity }
            }
        }

        func problem(in arguments: ArraySlice<String>) -> String? {
            guard answered.isDisjoint(with: arguments) else { return nil }
            var seen: [String: String] = [:]
            var rest = arguments
            while let word = rest.popFirst(), word != "--" {
                guard word.hasPrefix("-"), word != "-" else { continue }
                let name = String(word.prefix { $0 != "=" })
                guard let option = named[name] else {
                    // One dash and more may be a value, such as the code -20102.
                    if word.hasPrefix("--") { return unknown(name) }
                    continue
                }
                if !option.isRepeating, let before = seen.updateValue(name, forKey: option.identity) {
                    return before == name
                        ? "\(name) is given twice; give it once"
                        : "\(before) and \(name) are both given; give one of them"
                }
                guard option.takesValue, !word.contains("="), let value = rest.first else { continue }
                guard value.hasPrefix("-"), value != "-" else {
                    rest.removeFirst()
                    continue
                }
                // Another option follows: the parser reports that the value is missing.
                guard named[String(value.prefix { $0 != "=" })] == nil, !value.hasPrefix("--") else { continue }
                return
                    "\(name) is followed by \(value.prefix(40)); a value that begins with a dash is written "
                    + "\(name)=\(value.prefix(40))"
            }
            return nil
        }

        private func unknown(_ name: String) -> String {
            let long = named.keys.filter { $0.hasPrefix("--") }.sorted()
            let word = name.dropFirst(2)
            let meant =
                EditDistance.nearest(to: name, among: long) ?? long.first { $0.hasSuffix("-\(word)") && !word.isEmpty }
            return "there is no option \(name.prefix(40))" + (meant.map { "; did you mean \($0)?" } ?? "")
        }
    }
}

extension ParsableCommand {
    /// Whether a word is the command's name or another name of it.
    static func isCalled(_ word: String) -> Bool {
        configuration.commandName == word || configuration.aliases.contains(word)
    }
}
