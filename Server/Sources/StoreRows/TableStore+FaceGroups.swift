package import BenjiProtocol
package import Store

extension TableStore {
    package func putFaceGroup(_ group: FaceGroupRecord, limit: Int) async throws(StoreError) -> Bool {
        try await write("put face group", locks: .faceWrites) { db in
            let count = try db.row(
                "SELECT count(*) FROM face_group WHERE app = $1", of: "face_group", group.appID.rawValue
            ) { try $0.integer(Int.self) }
            guard count ?? 0 < limit else { return false }
            try db.run(
                "INSERT INTO face_group (id, app, name, tag, info, created_at) VALUES ($1,$2,$3,$4,$5,$6)", group.id,
                group.appID.rawValue, group.name, group.tag, group.info, group.createdAt.milliseconds)
            return true
        }
    }

    package func changeFaceGroup(
        _ id: String, app: AppID, tag: String?, info: String?
    ) async throws(StoreError) -> FaceGroupRecord? {
        try await write("change face group", locks: .faceWrites) { db in
            try db.row(
                """
                UPDATE face_group SET tag = coalesce($1, tag), info = coalesce($2, info) WHERE id = $3 AND app = $4
                RETURNING id, app, name, tag, info, created_at
                """, of: "face_group", tag, info, id, app.rawValue, read: FaceGroupRows.decode)
        }
    }

    package func faceGroup(_ id: String, app: AppID) async throws(StoreError) -> FaceGroupRecord? {
        try await read("read face group") { db in
            try db.row(
                "\(FaceGroupRows.groups) WHERE id = $1 AND app = $2", of: "face_group", id, app.rawValue,
                read: FaceGroupRows.decode)
        }
    }

    package func faceGroups(app: AppID, tag: String?) async throws(StoreError) -> [FaceGroupRecord] {
        try await read("list face groups") { db in
            try db.rows(
                "\(FaceGroupRows.groups) WHERE app = $1 AND ($2 IS NULL OR tag = $2) ORDER BY created_at, id",
                of: "face_group", app.rawValue, tag, read: FaceGroupRows.decode)
        }
    }

    package func removeFaceGroup(_ id: String, app: AppID) async throws(StoreError) -> Bool {
        try await write("remove face group", locks: .faceWrites) { db in
            guard try FaceGroupRows.exists(id, app, db) else { return false }
            try db.run("DELETE FROM face_group_member WHERE face_group = $1", id)
            return try db.run("DELETE FROM face_group WHERE id = $1", id) > 0
        }
    }

    package func addFaceGroupMember(
        openID: String, to group: String, app: AppID, limit: Int
    ) async throws(StoreError) -> FaceMembershipOutcome {
        try await write("add face group member", locks: .faceWrites) { db in
            guard try FaceGroupRows.exists(group, app, db) else { return .groupUnknown }
            guard let account = try FaceGroupRows.account(openID, app, db) else { return .personUnknown }
            if try db.hasRow(
                "SELECT 1 FROM face_group_member WHERE face_group = $1 AND account = $2", group, account)
            {
                return .added
            }
            let count = try db.row(
                "SELECT count(*) FROM face_group_member WHERE face_group = $1", of: "face_group_member", group
            ) { try $0.integer(Int.self) }
            guard count ?? 0 < limit else { return .full }
            try db.run("INSERT INTO face_group_member (face_group, account) VALUES ($1,$2)", group, account)
            return .added
        }
    }

    package func removeFaceGroupMember(
        openID: String, from group: String, app: AppID
    ) async throws(StoreError) -> Bool {
        try await write("remove face group member", locks: .faceWrites) { db in
            guard try FaceGroupRows.exists(group, app, db), let account = try FaceGroupRows.account(openID, app, db)
            else { return false }
            return try db.run("DELETE FROM face_group_member WHERE face_group = $1 AND account = $2", group, account)
                > 0
        }
    }

    package func faceGroups(of account: Int64, app: AppID) async throws(StoreError) -> [FaceGroupRecord] {
        try await read("list face groups") { db in
            try db.rows(
                """
                \(FaceGroupRows.groups) WHERE app = $1 AND id IN (SELECT face_group FROM face_group_member WHERE \
                account = $2)
                ORDER BY created_at, id
                """, of: "face_group", app.rawValue, account, read: FaceGroupRows.decode)
        }
    }

    package func leaveFaceGroups(account: Int64, app: AppID, revision: Int64) async throws(StoreError) -> Bool {
        try await write("leave face groups", locks: .faceWrites) { db in
            let isBound = try db.run(
                """
                UPDATE face_binding SET groups_agreed_at = NULL, revision = revision + 1
                WHERE account = $1 AND app = $2 AND revision = $3
                """, account, app.rawValue, revision)
            guard isBound > 0 else { return false }
            try FaceGroupRows.leave(account, app, db)
            return true
        }
    }

    package func faceGroupMembers(_ group: String, app: AppID) async throws(StoreError) -> [FaceGroupMember] {
        try await read("read face group members") { db in
            try db.rows(
                "\(FaceGroupRows.members) ORDER BY a.id", of: "face_account", group, app.rawValue,
                read: FaceGroupRows.member)
        }
    }

    package func faceGroupOpenIDs(_ group: String, app: AppID) async throws(StoreError) -> [String] {
        try await read("read face group openids") { db in
            try db.rows(
                "SELECT b.open_id \(FaceGroupRows.membership) ORDER BY a.id", of: "face_binding", group, app.rawValue
            ) { try $0.text() }
        }
    }

    package func faceGroupMember(
        _ account: Int64, of group: String, app: AppID
    ) async throws(StoreError) -> FaceGroupMember? {
        try await read("read face group member") { db in
            try db.row(
                "\(FaceGroupRows.members) AND m.account = $3", of: "face_account", group, app.rawValue, account,
                read: FaceGroupRows.member)
        }
    }
}

enum FaceGroupRows {
    fileprivate static let groups = "SELECT id, app, name, tag, info, created_at FROM face_group"
    /// Who is in a group of an app, and may be seen there.
    fileprivate static let members = """
        SELECT a.id, a.subscription, a.epoch, k.sealed_key, a.sealed_template, a.terms, b.open_id, b.groups_agreed_at
        \(membership)
        """
    fileprivate static let membership = """
        FROM face_group AS g JOIN face_group_member AS m ON m.face_group = g.id
            JOIN face_account AS a ON a.id = m.account JOIN face_key AS k ON k.account = a.id
            JOIN face_binding AS b ON b.account = a.id AND b.app = g.app
        WHERE g.id = $1 AND g.app = $2 AND NOT a.frozen AND \(FaceRows.isProven)
        """

    /// Takes an account out of all groups of an app.
    static func leave(_ account: Int64, _ app: AppID, _ db: some StatementRunner) throws {
        try db.run(
            """
            DELETE FROM face_group_member
            WHERE account = $1 AND face_group IN (SELECT id FROM face_group WHERE app = $2)
            """, account, app.rawValue)
    }

    fileprivate static func member(_ columns: inout some Columns) throws -> FaceGroupMember {
        FaceGroupMember(
            account: try columns.integer(), subscription: try columns.integer(), epoch: try columns.integer(),
            sealedKey: Sealed(bytes: try columns.bytes()), sealedTemplate: Sealed(bytes: try columns.bytes()),
            terms: try columns.text(), openID: try columns.text(),
            groupsAgreedAt: try columns.optionalInteger().map(Timestamp.init(milliseconds:)))
    }

    fileprivate static func decode(_ columns: inout some Columns) throws -> FaceGroupRecord {
        FaceGroupRecord(
            id: try columns.text(), appID: try columns.raw(), name: try columns.text(), tag: try columns.text(),
            info: try columns.text(), createdAt: try columns.timestamp())
    }

    fileprivate static func exists(_ id: String, _ app: AppID, _ db: some StatementRunner) throws -> Bool {
        try db.hasRow("SELECT 1 FROM face_group WHERE id = $1 AND app = $2", id, app.rawValue)
    }

    /// The account that this app knows under an openId.
    fileprivate static func account(_ openID: String, _ app: AppID, _ db: some StatementRunner) throws -> Int64? {
        try db.row(
            "SELECT account FROM face_binding WHERE app = $1 AND open_id = $2", of: "face_binding", app.rawValue, openID
        ) { try $0.integer() }
    }
}
