package import Store

/// Opens the store under test. Each promise gets a factory of its own whose place is empty at first. Every further call
/// opens the same place again, as a second process or a restart would.
package typealias StoreFactory = @Sendable () async throws -> any Store

/// One thing that every driver keeps, named by the sentence that would be false if it did not.
///
/// A driver's whole test is this (`FlawTests` shows that each promise can fail):
///
/// ```swift
/// @Test(arguments: StoreConformance.promises)
/// func keeps(_ promise: StorePromise) async throws {
///     let place = try TemporaryPlace()
///     try await promise.check { try SQLiteStore(path: place.path, logger: .init(label: "test")) }
/// }
/// ```
package struct StorePromise: Sendable, CustomStringConvertible {
    /// The promise in one sentence; also how a test names its case.
    package let name: String
    /// Throws ``PromiseBroken``, or whatever the store threw, if the promise is not kept.
    package let check: @Sendable (@escaping StoreFactory) async throws -> Void

    package init(name: String, check: @escaping @Sendable (@escaping StoreFactory) async throws -> Void) {
        self.name = name
        self.check = check
    }

    /// A promise about one open store, which is closed afterwards.
    init(_ name: String, _ body: @escaping @Sendable (Scenario) async throws -> Void) {
        self.init(name: name) { factory in
            let store = try await factory()
            do {
                try await body(Scenario(store: store, factory: factory))
            } catch {
                await store.close()
                throw error
            }
            await store.close()
        }
    }

    package var description: String { name }
}
