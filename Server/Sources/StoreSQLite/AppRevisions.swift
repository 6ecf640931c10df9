import BenjiProtocol
import GRDB
import StoreRows

extension AppRows {
    /// False if the app has another revision by now than a request was judged by; `nil` is whichever there is.
    static func isApp(_ id: AppID, at revision: Int64?, _ db: Database) throws -> Bool {
        guard let revision else { return true }
        return try db.hasRow("SELECT 1 FROM app WHERE id = ? AND revision = ?", id.rawValue, revision)
    }
}
