package import BenjiProtocol

/// One vendor's SDK as a row of a table: in what it differs from the others before a result is spelled.
///
/// Each facade's module has its own rows.
package struct Facade: Sendable {
    /// The class that apps call. No two rows have the same.
    package let name: String
    /// Decides lifetimes at the server.
    package let dialect: Dialect
    /// The codes of its results.
    package let codes: CodeColumn
    /// For one call, when the app does not say.
    package let timeout: Duration
    /// A login without a valid prefetch fails, as documented, instead of making one.
    package let needsPrefetch: Bool
    /// An app without a key cannot use it. The others give their SDK only an id.
    package let needsAppKey: Bool
    /// The document's page begins with the tick set.
    package let allowsInitialTick: Bool
    /// The page is shown while the app shares the screen with another one.
    package let showsInSplitView: Bool
    /// The call in whose place a login by SMS may come; `nil` where the document knows none.
    package let callBySMS: Call.Kind?

    package init(
        name: String, dialect: Dialect, codes: CodeColumn, timeout: Duration, needsPrefetch: Bool, needsAppKey: Bool,
        allowsInitialTick: Bool, showsInSplitView: Bool, callBySMS: Call.Kind? = nil
    ) {
        self.name = name
        self.dialect = dialect
        self.codes = codes
        self.timeout = timeout
        self.needsPrefetch = needsPrefetch
        self.needsAppKey = needsAppKey
        self.allowsInitialTick = allowsInitialTick
        self.showsInSplitView = showsInSplitView
        self.callBySMS = callBySMS
    }
}
