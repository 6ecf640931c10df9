import Foundation
import Logging
import Store

/// Remembers outside of the database that its rows have codes (decision 63).
///
/// The database's own record of this is the data secrets and the mark of the audit log. A party that removes both and
/// adds rows would get codes for these rows at the next start. A node that has this file gives none.
package struct SealedRowsFile: Sendable {
    private let path: String

    package init(dataDirectory: String) { path = "\(dataDirectory)/\(RowCodes.sealedFileName)" }

    package var isThere: Bool { FileManager.default.fileExists(atPath: path) }

    /// Makes the file, if it is not there yet. The log says if it cannot be made.
    func keep(_ logger: Logger) {
        guard !isThere else { return }
        let text = "The rows that give rights have codes (docs/operations/rows.md, Rows that give rights).\n"
        let isKept = FileManager.default.createFile(
            atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        guard !isKept else { return }
        logger.warning(
            "that rows have codes cannot be kept; this node would not notice that the database's record of it is gone",
            metadata: ["file": "\(path)"])
    }

    /// Removes the file, if it exists. The database that replaces the present one may be of an earlier version.
    package func forget() { try? FileManager.default.removeItem(atPath: path) }
}
