import ServiceLifecycle

/// The services of one process in its role. Call ``close()`` when the services have ended.
struct AssembledServer: Sendable {
    /// `nil` in the role *gateway*, which keeps no numbers, no keys and no database.
    let installation: Installation?
    /// In the order in which they start; they end in the reverse order.
    let services: [any Service]
    /// Reads certificates again when it is asked to by a signal. Runs beside ``services`` where signals are this
    /// program's to take.
    let certificates: CertificateRenewal
    let ports: BoundPorts

    func close() async { await installation?.close() }
}
