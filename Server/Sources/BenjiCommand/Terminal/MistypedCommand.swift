import ArgumentParser
import ServerRuntime

/// A word in a command's place that is no command.
///
/// The parser looks at options first, so that it would name an option as unknown which the meant command does have.
struct MistypedCommand: Equatable {
    /// The commands before it, which exist: "benji app".
    var parent: String
    var word: String
    var known: [String]

    /// The first such word; `nil` if there is none.
    static func first(in arguments: [String], of root: any ParsableCommand.Type) -> MistypedCommand? {
        var command: any ParsableCommand.Type = root
        var path = [root.configuration.commandName ?? "benji"]
        // The words after `benji help` are commands too.
        for word in arguments.first == "help" ? arguments.dropFirst() : arguments[...] {
            let known = command.configuration.subcommands
            guard !known.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
            guard let next = known.first(where: { $0.isCalled(word) }) else {
                // A command that has a usual one takes that one's argument here, unless a command was meant.
                let names = known.compactMap { $0.configuration.commandName }
                if command.configuration.defaultSubcommand != nil, EditDistance.nearest(to: word, among: names) == nil {
                    return nil
                }
                return MistypedCommand(
                    parent: path.joined(separator: " "), word: word,
                    known: known.compactMap { $0.configuration.commandName })
            }
            command = next
            path.append(word)
        }
        return nil
    }

    var problem: String {
        let hint = EditDistance.nearest(to: word, among: known).map { "did you mean \($0)?" }
        return "\(parent) has no command \"\(word.prefix(40))\"; \(hint ?? "it has \(known.joined(separator: ", "))")\n"
            + "See '\(parent) --help' for more information."
    }
}
