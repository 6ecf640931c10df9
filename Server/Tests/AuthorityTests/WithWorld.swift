import ServerTestKit

/// Runs a test in a world of its own, and ends the world whatever happens.
func withWorld(_ body: (AuthorityWorld) async throws -> Void) async throws {
    let world = try await AuthorityWorld()
    do { try await body(world) } catch {
        await world.end()
        throw error
    }
    await world.end()
}
