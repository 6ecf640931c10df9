@_spi(Server) import BenjiProtocol
import CLibPQ
import Foundation
package import Store

/// Which PostgreSQL, which database, and as whom: libpq's connection string, checked and completed.
///
/// A password is never a part of it: libpq finds it in `~/.pgpass`, in the file that `PGPASSFILE` or `passfile=` names,
/// or in `PGPASSWORD`.
///
/// A server that is reached over a network is verified (`sslmode=verify-full`) unless the text names another `sslmode`.
/// libpq's own default uses TLS only if the server offers it, so another machine could pose as the server.
package struct ConnectionParameters: Sendable {
    let options: [(keyword: String, value: String)]
    /// The servers by name, by address or by their entry in a service file, for people.
    private let servers: String
    /// Whether each server is on this machine: at a Unix socket, or at an address of the loopback.
    private let isLocal: Bool
    /// `nil` where each server is on this machine and the text names no mode.
    private let sslMode: SSLMode?

    /// - Parameters:
    ///   - text: as in "host=db.example.com dbname=benji", or as a URI "postgresql://db.example.com/benji".
    ///   - environment: where libpq finds the servers if the text does not name them; `nil` for this process's.
    /// - Throws: ``StoreError/Code/unavailable`` in words if libpq is too old or does not understand it, or if it has a
    ///   password.
    package init(_ text: String, environment: [String: String]? = nil) throws(StoreError) {
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
                "it has a password, which belongs into a file that nobody else reads; put it into ~/.pgpass, or into a "
                    + "file of mode 0600 that passfile= or "
                    + "PGPASSFILE names")
        }
        // A standby may not know recent revocations yet, and another encoding would change texts.
        for (keyword, value) in [("target_session_attrs", "read-write"), ("client_encoding", "UTF8")] {
            if let other = options.first(where: { $0.keyword == keyword && $0.value != value }) {
                throw StoreError(
                    .unavailable, "\(keyword)=\(other.value) cannot be; leave it out: it is always \(value)")
            }
        }
        let environment = environment ?? ProcessInfo.processInfo.environment
        func value(_ keyword: String, else variable: String) -> String? {
            let value = options.first { $0.keyword == keyword }?.value ?? environment[variable]
            return value == "" ? nil : value
        }
        // libpq calls the address and verifies the name. Who is meant by an entry of a service file is not known here.
        let service = value("service", else: "PGSERVICE")
        let named = [value("host", else: "PGHOST"), value("hostaddr", else: "PGHOSTADDR")].compactMap { $0 }
        servers = named.first ?? service.map { "service \($0)" } ?? "this machine"
        isLocal = service == nil && named.allSatisfy { $0.split(separator: ",").allSatisfy(Self.isOnThisMachine) }
        if let text = options.first(where: { $0.keyword == "sslmode" })?.value {
            guard let mode = SSLMode(rawValue: text) else {
                throw StoreError(
                    .unavailable,
                    "sslmode=\(text) is unknown; leave it out: a server that is reached over a network is verified "
                        + "(verify-full)")
            }
            sslMode = mode
        } else if isLocal {
            sslMode = nil
        } else {
            sslMode = .verifyFull
            options.append(("sslmode", SSLMode.verifyFull.rawValue))
        }
        // By default libpq tries the encryption of GSSAPI before TLS, and then verifies no certificate.
        if !isLocal, sslMode == .verifyFull, !options.contains(where: { $0.keyword == "gssencmode" }) {
            options.append(("gssencmode", "disable"))
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
        let port = options.first { $0.keyword == "port" }.map { " port \($0.value)" } ?? ""
        let database = options.first { $0.keyword == "dbname" }?.value ?? "benji"
        return "PostgreSQL at \(servers)\(port), database \(database)"
    }

    /// How the servers are reached, and the mode of TLS in effect, for people.
    package var protection: String {
        guard !isLocal, let sslMode else { return "\(description), on this machine: TLS is not needed" }
        return "\(description), sslmode=\(sslMode.rawValue): \(sslMode.meaning)"
    }

    /// Why another machine could pose as a server, with the remedy; `nil` if none can.
    package var weakness: String? {
        guard !isLocal, sslMode != .verifyFull else { return nil }
        return
            "\(protection), so another machine can pose as the server, read every statement and change every answer; "
            + "take sslmode= out of store.postgres, so that it is verify-full, and name the file of the server's "
            + "certificate authority with sslrootcert="
    }

    /// Whether a server's name or address is on this machine. That is a path, an abstract Unix socket, `localhost` (RFC
    /// 6761, section 6.3), or an address of the loopback.
    private static func isOnThisMachine(_ server: Substring) -> Bool {
        server.hasPrefix("/") || server.hasPrefix("@") || server == "localhost"
            || InternetAddress(server)?.isLoopback == true
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
            let message = String(cString: PQerrorMessage(connection))
            let words = tlsProblem(message) ?? Self.words(message)
            PQfinish(connection)
            throw .lost("\(description): \(words)")
        }
        return connection
    }

    /// Why TLS with a server failed, the mode and the remedy; `nil` if the connection failed for another reason.
    private func tlsProblem(_ message: String) -> String? {
        for line in message.split(separator: "\n") {
            guard let problem = tlsProblem(ofLine: String(line)) else { continue }
            // As in: connection to server at "db.example.com" (10.0.0.11), port 5432 failed: …
            let parts = line.split(separator: "\"", maxSplits: 2).map { String($0) }
            let server = line.hasPrefix("connection to server") && parts.count == 3 ? parts[1] : "the server"
            return "\(server) \(problem)"
        }
        return nil
    }

    private func tlsProblem(ofLine line: String) -> String? {
        let mode = "sslmode=\((sslMode ?? .prefer).rawValue)"
        if line.contains("does not support SSL") {
            return "offers no TLS, which \(mode) requires; set ssl = on in its postgresql.conf"
        }
        if line.contains("root certificate") {
            return "cannot be verified (\(mode)): the certificate of its authority cannot be read here; name its file "
                + "with sslrootcert= in store.postgres"
        }
        if line.contains("certificate verify failed") {
            return
                "has a certificate that is not valid, or not of the authority in sslrootcert (\(mode)); name the file "
                + "of its authority with sslrootcert= in store.postgres, or renew the certificate"
        }
        if line.contains("does not match host name") {
            return "has a certificate that does not name this host (\(mode)); name the host in store.postgres as the "
                + "certificate does, or give the server a certificate with the host's name"
        }
        if line.contains("host name must be specified") {
            return "has no name in store.postgres to compare with its certificate (\(mode)); add host= to hostaddr="
        }
        if line.contains("private key file") {
            return "asks for a client certificate, and the file of its key cannot be read; name it with sslkey= in "
                + "store.postgres"
        }
        return nil
    }

    /// Describes libpq's message about a failed connection. The message itself may repeat the connection string.
    private static func words(_ message: String) -> String {
        let readOnly =
            "nothing can be written there: it is a standby, or default_transaction_read_only is on for the server, the "
            + "database or the user"
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
