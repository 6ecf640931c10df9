public import BenjiProtocol
import GRDB
public import Store

extension SQLiteStore {
    public func putOpenIDMedia(_ media: [OpenIDMedia], of app: AppID) async throws(StoreError) {
        try await write("put openid media") { db in
            guard try db.hasRow("SELECT 1 FROM openid_client WHERE app = ?", app.rawValue) else {
                throw StoreError(.notFound, "put openid media: the app is no client")
            }
            try db.run("DELETE FROM openid_media WHERE app = ?", app.rawValue)
            for each in media {
                try db.run(
                    "INSERT INTO openid_media (app, name, digest, type, content) VALUES (?,?,?,?,?)", app.rawValue,
                    each.name, each.digest, each.type, each.content)
            }
        }
    }

    public func openIDMediaDigests(of app: AppID) async throws(StoreError) -> [String: String] {
        let pairs = try await read("read openid media digests") { db in
            try db.rows("SELECT name, digest FROM openid_media WHERE app = ?", of: "openid_media", app.rawValue) {
                columns in (try columns.text(), try columns.text())
            }
        }
        return Dictionary(pairs) { first, _ in first }
    }

    public func openIDMedia(digest: String) async throws(StoreError) -> OpenIDMedia? {
        try await read("read openid media") { db in
            try db.row(
                "SELECT name, digest, type, content FROM openid_media WHERE digest = ? LIMIT 1", of: "openid_media",
                digest
            ) { columns in
                OpenIDMedia(
                    name: try columns.text(), digest: try columns.text(), type: try columns.text(),
                    content: try columns.bytes())
            }
        }
    }
}
