import ServerRuntime

extension ConfigurationOptions {
    /// The configuration of a process in any role.
    func load() async throws -> ServerConfiguration {
        var configuration = try ServerConfiguration(read(keys: .server))
        configuration.options = named
        return configuration
    }

    /// Opens the installation that the options name, says on standard error which one that is, lets `body` use it, and
    /// closes it whatever happens. Nothing is made that is not there.
    func withInstallation<Result>(_ body: (Installation) async throws -> Result) async throws -> Result {
        let configuration = try await load()
        guard try configuration.hasDatabase else { throw configuration.noInstallation }
        configuration.announce()
        return try await Installation.use(configuration, body)
    }
}

extension ServerConfiguration {
    /// Prints one line on standard error: the installation that a command works on, and where that was set. Warnings
    /// about dangerous settings follow.
    func announce() {
        Terminal.note("installation: \(process.absoluteDataDirectory) (from \(process.dataOrigin))")
        for warning in process.warnings { Terminal.note("warning: \(warning)") }
    }
}
