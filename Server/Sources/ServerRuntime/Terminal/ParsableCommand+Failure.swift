package import ArgumentParser

extension ParsableCommand {
    /// Runs a command that was parsed. An error without a description of its own becomes one that people can read.
    package static func run(_ command: any ParsableCommand) async throws {
        do {
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                var command = command
                try command.run()
            }
        } catch let error
            where !(error is ExitCode) && exitCode(for: error) == .failure && !ErrorText.hasWords(error)
        {
            // A request for help is no failure; the parser prints the text.
            throw CommandFailure(ErrorText.of(error))
        }
    }

    /// Ends the program with an error.
    package static func end(_ error: any Error) -> Never {
        // The log's lines go to the same place, and must not come between the letters of the error.
        LogOutput.standardError.flush()
        exit(withError: error)
    }
}
