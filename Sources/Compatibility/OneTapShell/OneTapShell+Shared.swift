import BenjiClient

extension OneTapShell {
    private static let shared = Locked<[String: OneTapShell]>([:])

    /// Takes the place of the process-wide shells in the task that sets it: so that tests can run side by side.
    @TaskLocal package static var scoped: OneTapShell?

    /// The one shell of a facade, in which an app's calls meet.
    package static func of(_ facade: Facade) -> OneTapShell {
        if let scoped, scoped.facade.name == facade.name { return scoped }
        return shared.withLock { shells in
            if let shell = shells[facade.name] { return shell }
            let shell = OneTapShell(facade)
            shells[facade.name] = shell
            return shell
        }
    }
}
