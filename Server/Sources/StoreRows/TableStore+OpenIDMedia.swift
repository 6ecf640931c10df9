package import BenjiProtocol
package import Store

extension TableStore {
    package func openIDMediaDigests(of app: AppID) async throws(StoreError) -> [String: String] {
        let pairs = try await readOne("read openid media digests") { db in
            try db.rows("SELECT name, digest FROM openid_media WHERE app = $1", of: "openid_media", app.rawValue) {
                columns in (try columns.text(), try columns.text())
            }
        }
        return Dictionary(pairs) { first, _ in first }
    }

    package func openIDMedia(digest: String) async throws(StoreError) -> OpenIDMedia? {
        try await readOne("read openid media") { db in
            try db.row(
                "SELECT name, digest, type, content FROM openid_media WHERE digest = $1 LIMIT 1", of: "openid_media",
                digest
            ) { columns in
                OpenIDMedia(
                    name: try columns.text(), digest: try columns.text(), type: try columns.text(),
                    content: try columns.bytes())
            }
        }
    }
}

enum OpenIDMediaRows {
    static func change(_ app: AppID, put media: [OpenIDMedia], remove names: [String], _ db: some StatementRunner)
        throws
    {
        for name in names + media.map(\.name) {
            try db.run("DELETE FROM openid_media WHERE app = $1 AND name = $2", app.rawValue, name)
        }
        for each in media {
            try db.run(
                "INSERT INTO openid_media (app, name, digest, type, content) VALUES ($1,$2,$3,$4,$5)", app.rawValue,
                each.name, each.digest, each.type, each.content)
        }
    }
}
