package import BenjiProtocol

/// One vendor's SDK as a row of a table: in what it differs from the others before a result is spelled.
package struct Facade: Hashable, Sendable {
    /// The module that apps import.
    package let name: String
    /// Decides lifetimes at the server.
    package let dialect: Dialect
    /// Where its result codes are.
    package let table: CodeTable
    /// For one call, when the app does not say.
    package let timeout: Duration
    /// A login without a valid prefetch fails, as documented, instead of making one.
    package let needsPrefetch: Bool
    /// An app without a key cannot use it. The others give their SDK only an id.
    package let needsAppKey: Bool

    package init(
        name: String, dialect: Dialect, table: CodeTable, timeout: Duration, needsPrefetch: Bool, needsAppKey: Bool
    ) {
        self.name = name
        self.dialect = dialect
        self.table = table
        self.timeout = timeout
        self.needsPrefetch = needsPrefetch
        self.needsAppKey = needsAppKey
    }

    /// The document's page begins with the tick set.
    package var allowsInitialTick: Bool { dialect == .onelogin || dialect == .geyan }

    /// The page is shown while the app shares the screen with another one. Document 002 alone says that it is not.
    package var showsInSplitView: Bool { dialect != .geyan }
}

extension Facade {
    /// Document 000.
    package static let tyrzSDK = Facade(
        name: "TYRZSDK", dialect: .cmpassport, table: .cmSDK, timeout: .seconds(8), needsPrefetch: true,
        needsAppKey: true)
    /// Document 001.
    package static let tyrzLogin = Facade(
        name: "TYRZLogin", dialect: .cmpassport, table: .tyrzSDK, timeout: .seconds(8), needsPrefetch: false,
        needsAppKey: true)
    /// Document 004: a login wants a prefetch of the app's own before it.
    package static let oneLogin = Facade(
        name: "OneLogin", dialect: .onelogin, table: .oneLogin, timeout: .seconds(8), needsPrefetch: true,
        needsAppKey: false)
    /// OneLoginPro: keeps its prefetch valid by itself.
    package static let oneLoginPro = Facade(
        name: "OneLoginPro", dialect: .onelogin, table: .oneLogin, timeout: .seconds(8), needsPrefetch: false,
        needsAppKey: false)
    /// Document 002, GeYanSdk.
    package static let geYan = Facade(
        name: "GeYanSdk", dialect: .geyan, table: .geyan, timeout: .seconds(10), needsPrefetch: true,
        needsAppKey: false)
    /// Document 002, GyOneLoginPro.
    package static let geYanPro = Facade(
        name: "GyOneLoginPro", dialect: .geyan, table: .geyan, timeout: .seconds(10), needsPrefetch: false,
        needsAppKey: false)
}
