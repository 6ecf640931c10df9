import ServerRuntime
import ServiceLifecycle

/// The services of one process in its role. Call ``close()`` when the services have ended.
struct AssembledServer: Sendable {
    /// `nil` in the role *gateway*, which keeps no numbers, no keys and no database.
    let installation: Installation?
    let process: ProcessServices

    init(_ process: ProcessServices, _ installation: Installation? = nil) {
        (self.process, self.installation) = (process, installation)
    }

    var services: [any Service] { process.services }
    var ports: BoundPorts { process.ports }

    func close() async { await installation?.close() }
}
