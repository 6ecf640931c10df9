import StoreSQLite

/// A resource that must be closed after its last use.
protocol Closable {
    func close() async
}

extension Closable {
    /// Lets `body` use it, and closes it whatever happens.
    func closing<Result>(_ body: (Self) async throws -> Result) async throws -> Result {
        do {
            let result = try await body(self)
            await close()
            return result
        } catch {
            await close()
            throw error
        }
    }
}

extension SQLiteStore: Closable {}
extension Installation: Closable {}
extension Array: Closable where Element == Installation {
    func close() async { for installation in self { await installation.close() } }
}
extension AssembledServer: Closable {}
