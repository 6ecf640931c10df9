import Foundation

extension ConfigurationOptions {
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
        Terminal.note("installation: \(absoluteDataDirectory) (from \(dataOrigin))")
        for warning in warnings { Terminal.note("warning: \(warning)") }
    }
}
