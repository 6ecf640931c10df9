import CLibPQ
import Foundation
package import Store

/// Which PostgreSQL, which database, and as whom: libpq's connection string, checked and completed.
///
/// A password is never a part of it: libpq finds it in `~/.pgpass`, in the file that `PGPASSFILE` or `passfile=` names, or in
/// `PGPASSWORD`.
package struct ConnectionParameters: Sendable {
    private let options: [(keyword: String, value: String)]

    /// - Parameter text: as in "host=db.example.com dbname=benji", or as a URI "postgresql://db.example.com/benji".
    /// - Throws: ``StoreError/Code/unavailable`` in words if libpq is too old or does not understand it, or if it has a
    ///   password.
    package init(_ text: String) throws(StoreError) {
        if let problem = DatabaseRequirement.problem(version: PQlibVersion(), of: "libpq, PostgreSQL's library,") {
            throw StoreError(.unavailable, problem)
        }
        guard let parsed = PQconninfoParse(text, nil) else {
            // libpq's own message repeats the text.
            throw StoreError(
                .unavailable,
                "PostgreSQL's library does not understand it; write it as in host=db.example.com dbname=benji "
                    + "user=benji")
        }
        defer { PQconninfoFree(parsed) }
        var options: [(keyword: String, value: String)] = []
        var option = parsed
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { options.append((String(cString: keyword), String(cString: value))) }
            option += 1
        }
        guard !options.contains(where: { $0.keyword == "password" || $0.keyword == "sslpassword" }) else {
            throw StoreError(
                .unavailable,
                "it has a password, which belongs into a file that nobody else reads; put it into ~/.pgpass, or into a file of mode 0600 that passfile= or "
                    + "PGPASSFILE names")
        }
        // A standby may not know yet what was revoked, and in another encoding texts would be others.
        for (keyword, value) in [("target_session_attrs", "read-write"), ("client_encoding", "UTF8")] {
            if let other = options.first(where: { $0.keyword == keyword && $0.value != value }) {
                throw StoreError(
                    .unavailable, "\(keyword)=\(other.value) cannot be; leave it out: it is always \(value)")
            }
        }
        let usual = [
            ("connect_timeout", "5"), ("target_session_attrs", "read-write"), ("tcp_user_timeout", "10000"),
            ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("fallback_application_name", "benji"),
            ("client_encoding", "UTF8"), ("dbname", "benji"),
        ]
        for (keyword, value) in usual where !options.contains(where: { $0.keyword == keyword }) {
            options.append((keyword, value))
        }
        self.options = options
    }

    /// Host, port and database, for people: nothing secret.
    package var description: String {
        let host = options.first { $0.keyword == "host" || $0.keyword == "hostaddr" }?.value ?? "this machine"
        let port = options.first { $0.keyword == "port" }.map { " port \($0.value)" } ?? ""
        let database = options.first { $0.keyword == "dbname" }?.value ?? "benji"
        return "PostgreSQL at \(host)\(port), database \(database)"
    }

    /// A new connection. Blocks for a few seconds at most for each host.
    func connect() throws(ServerFailure) -> OpaquePointer {
        func terminated(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] { texts.map { strdup($0) } + [nil] }
        let keywords = terminated(options.map(\.keyword))
        let values = terminated(options.map(\.value))
        defer { for text in keywords + values { free(text) } }
        let connection = keywords.map { UnsafePointer($0) }.withUnsafeBufferPointer { keywords in
            values.map { UnsafePointer($0) }.withUnsafeBufferPointer { values in
                PQconnectdbParams(keywords.baseAddress, values.baseAddress, 0)
            }
        }
        guard let connection else { throw .lost("out of memory") }
        guard PQstatus(connection) == CONNECTION_OK else {
            let words = Self.words(String(cString: PQerrorMessage(connection)))
            PQfinish(connection)
            throw .lost("\(description): \(words)")
        }
        return connection
    }

    /// What libpq says of a connection that failed, as far as it is worth telling. Its own text may repeat the connection string.
    private static func words(_ message: String) -> String {
        let readOnly =
            "nothing can be written there: it is a standby, or default_transaction_read_only is on for the server, the database or the user"
        let known = [
            ("Connection refused", "nothing listens there"), ("No such file or directory", "nothing listens there"),
            ("authentication failed", "it does not let this user in"),
            ("no password supplied", "it asks for a password; put it into ~/.pgpass or the file that PGPASSFILE names"),
            ("does not exist", "there is no such database or user"),
            ("pg_hba.conf", "its pg_hba.conf does not let this user in"),
            ("starting up", "it is starting"), ("shutting down", "it is stopping"),
            ("recovery mode", "it is recovering from a crash"),
            ("timeout expired", "it does not answer in time"), ("timed out", "it does not answer in time"),
            ("could not translate host name", "there is no host of this name"),
            ("too many connections", "it has too many connections"),
            ("too many clients", "it has too many connections"),
            ("read-only", readOnly), ("not read-write", readOnly),
            ("certificate", "its certificate is not accepted"), ("SSL", "TLS failed"),
            ("Permission denied", "its socket is not open to this user"),
        ]
        return known.first { message.contains($0.0) }?.1 ?? "it cannot be reached"
    }
}
