import ServerRuntime
import ServiceLifecycle

extension ServerAssembly {
    /// Opens a server, lets `body` use it while it runs, and takes it down whatever happens.
    func whileServing<Answer: Sendable>(
        _ body: @escaping @Sendable (AssembledServer) async throws -> Answer
    ) async throws -> Answer {
        let server = try await open()
        let group = ServiceGroup(services: server.services, logger: logger)
        let outcome = await withTaskGroup(of: Result<Answer, any Error>?.self) { tasks in
            tasks.addTask {
                do {
                    try await group.run()
                    return nil
                } catch { return .failure(error) }
            }
            tasks.addTask {
                let result: Result<Answer, any Error>
                do { result = .success(try await body(server)) } catch { result = .failure(error) }
                await group.triggerGracefulShutdown()
                return result
            }
            var outcome: Result<Answer, any Error>?
            // The body's outcome counts, unless the server failed first.
            for await ended in tasks { if let ended, outcome == nil { outcome = ended } }
            return outcome
        }
        await server.close()
        guard let outcome else { throw CommandFailure("the server ended before anybody could use it") }
        return try outcome.get()
    }
}
