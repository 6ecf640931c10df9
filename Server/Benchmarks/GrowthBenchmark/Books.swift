import Administration
import Authority
import BenchmarkSupport
@_spi(Server) import BenjiProtocol
import Logging
import Store
import StorePostgres
import StoreSQLite

/// An installation with a thousand apps and a ledger of so many lines, half of them one app's. It measures the pages
/// that an operator of that app looks at. SQL inserts a year's answers, and the traces and counts of the last week.
final class Books {
    enum Engine: String, CaseIterable {
        case sqlite = "SQLite"
        case postgres = "PostgreSQL"
    }

    static let apps = 1000

    private let scratch: Scratch
    /// Ends with the books.
    private let processes = ProcessGroup()
    private let database: PostgreSQL?
    private let administration: Administration
    private let busiest: AppID
    private let lines: Int
    private let visitor: Visitor
    /// The month before this one, whose every day is over.
    private let month: (year: Int, month: Int)
    /// The times of looks at each page, by the page's route, in microseconds.
    private var times: [String: [Double]] = [:]

    init(_ lines: Int, in engine: Engine, apps count: Int, folder: String?, note: (String) -> Void) async throws {
        scratch = try Scratch("books", in: folder)
        let path = scratch.file("benji.sqlite")
        let logger = Logger(label: "benchmark")
        let vault = Vault(
            masterKey: try MasterKeyFile(path: scratch.file("master.key")).load(random: SystemRandomSource())[0])
        func open(_ connection: String?) throws -> any Store {
            guard let connection else { return try SQLiteStore(path: path, logger: logger) }
            return try PostgresStore(ConnectionParameters(connection), logger: logger)
        }
        var connection: String?
        if engine == .postgres {
            let made = try PostgreSQL(in: scratch, core: nil, group: processes)
            try made.start()
            connection = "host=\(made.folder) dbname=postgres user=\(PostgreSQL.user)"
            database = made
        } else {
            database = nil
        }
        let empty = try open(connection)
        let registry = Apps(store: empty, vault: vault, clock: SystemWallClock(), random: SystemRandomSource())
        var ids: [AppID] = []
        let order = OrderNote(actor: "benchmark", role: "operator", origin: "benchmark", order: "app.create")
        for index in 0..<count {
            ids.append(try await registry.register(Apps.Registration(name: "Benchmark \(index)"), by: order).record.id)
        }
        busiest = ids.min { $0.rawValue < $1.rawValue }!
        await empty.close()
        let database = database
        // Where the store has its tables.
        try database?.run("ALTER ROLE \(PostgreSQL.user) SET search_path TO benji")
        let time = try seconds {
            let file = database == nil ? try TokenFile(path) : nil
            for statement in Self.filling(lines, apps: count, engine, now: SystemWallClock().now) {
                if let database { try database.run(statement) } else { try file?.run(statement) }
            }
            withExtendedLifetime(file) {}
        }
        note("\(Double(lines).short) lines of a ledger put into \(engine.rawValue) within \(time.short) s")
        let store = try open(connection)
        let authority = Authority(
            configuration: .init(gateways: [:]), store: store, vault: vault, logger: logger)
        administration = Administration(authority: authority, store: store, passwordCost: 1)
        let today = CalendarDay(SystemWallClock().now).number
        month =
            today / 100 % 100 == 1
            ? (Int(today / 10_000) - 1, 12) : (Int(today / 10_000), Int(today / 100 % 100) - 1)
        self.lines = lines
        let trace = TraceID(rawValue: String(repeating: "0", count: 32))!
        visitor = try await Visitor(administration, app: busiest, trace: trace)
        var start = ContinuousClock.now
        let counted = try await bill()
        let before = (ContinuousClock.now - start).inSeconds * 1e3
        // As a server does by itself, every five seconds.
        start = ContinuousClock.now
        while try await authority.sumLedger() {}
        let each = (ContinuousClock.now - start).inSeconds / Double(lines) * 1e6
        note("a statement took \(before.short) ms before its lines were in sums, which took \(each.short) µs a line")
        // As the server does by itself in time: its background work is put off here.
        try database?.run("VACUUM ANALYZE")
        guard try await bill() == counted, try await store.sumLedger(limit: 1) == 0 else {
            throw BenchmarkFailure("the sums say something else than the lines")
        }
    }

    /// The app's last whole month.
    private func bill() async throws -> JSON {
        let caller = Caller(name: "benchmark", role: .operator, origin: "benchmark")
        return try await administration.perform(
            Statement(busiest, year: month.year, month: month.month), by: caller)
    }

    /// The time of the app's statement of its last whole month, in microseconds.
    func statement() async throws -> Double {
        let start = ContinuousClock.now
        let statement = try await bill()
        let time = (ContinuousClock.now - start).inSeconds * 1e6
        // Half of all lines lie in twelve months of about one length.
        guard let answers = statement["answers"]?.integerValue, abs(Int(answers) * 24 - lines) < lines / 4 else {
            throw BenchmarkFailure("the statement has too many answers, or too few")
        }
        return time
    }

    /// The time of the pages of the app's bill, in microseconds: the present month's, the one before as a file.
    func books() async throws -> Double {
        let page = "/console/apps/\(busiest)/"
        let text = "\(month.year)-\(month.month < 10 ? "0" : "")\(month.month)"
        return try await visitor.look(at: page + "books")
            + visitor.look(at: page + "statement.csv?month=\(text)")
    }

    /// The time of all pages of the console together, in microseconds.
    func everyPage() async throws -> Double {
        var sum = 0.0
        for page in visitor.pages {
            let time = try await visitor.look(at: page.address)
            times[page.route, default: []].append(time)
            sum += time
        }
        return sum
    }

    /// The page whose time has grown most compared with the same page over fewer lines.
    func slowest(beside fewer: Books) -> (route: String, growth: Figures)? {
        times.compactMap { route, taken in
            fewer.times[route].map {
                (route, Figures([Figures(taken).median]).ratio(to: Figures([Figures($0).median])))
            }
        }.max { $0.1.median < $1.1.median }
    }

    /// The time of one look at each of the app's pages, in microseconds.
    func look() async throws -> Double {
        let caller = Caller(name: "benchmark", role: .operator, origin: "benchmark")
        let start = ContinuousClock.now
        let list = try await administration.perform(ListApps(), by: caller).arrayValue ?? []
        _ = try await administration.perform(ShowApp(busiest), by: caller)
        let counted = try await administration.perform(CountLogins(busiest), by: caller)["steps"]?.arrayValue ?? []
        let found = try await administration.perform(FindTraces(TraceFilter(app: busiest)), by: caller)
        let lines = try await administration.perform(ListLedger(busiest), by: caller)["entries"]?.arrayValue ?? []
        _ = try await administration.perform(ListAudit(AuditFilter(app: busiest)), by: caller)
        let time = (ContinuousClock.now - start).inSeconds * 1e6
        guard !list.isEmpty, !counted.isEmpty, found["traces"]?.arrayValue?.isEmpty == false, lines.count == 100 else {
            throw BenchmarkFailure("the books are not full")
        }
        return time
    }

    /// - Parameter lines: of the ledger.
    private static func filling(_ lines: Int, apps: Int, _ engine: Engine, now: Timestamp) -> [String] {
        func numbers(_ count: Int) -> String {
            engine == .sqlite
                ? "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT \(count))"
                : "WITH n AS (SELECT generate_series(0, \(count - 1))::bigint AS i)"
        }
        let day: Int64 = 86_400_000
        /// Evenly over so many days before now.
        func time(_ days: Int64, of count: Int) -> String {
            "\(now.milliseconds) - CAST((\(count) - i) * (\(days * day) / \(count).0) AS bigint)"
        }
        let trace = engine == .sqlite ? "printf('%032x', i)" : "lpad(to_hex(i), 32, '0')"
        let number =
            engine == .sqlite
            ? "CAST(strftime('%Y%m%d', at / 1000, 'unixepoch', '+8 hours') AS integer)"
            : "CAST(to_char(to_timestamp(at / 1000) AT TIME ZONE 'UTC' + interval '8 hours', 'YYYYMMDD') AS integer)"
        let places = "(SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM app) AS a"
        let its = "a.place = CASE WHEN i % 2 = 0 THEN 0 ELSE i % \(apps) END"
        let logins = max(lines / 50, 50)
        let hour = LoginCount.hour(of: now)
        return [
            """
            \(numbers(lines)) INSERT INTO ledger (app, trace, interface, result, assurance, at, day)
            SELECT id, trace, 'loginTokenValidate', 'released', 'net', at, \(number) FROM
                (SELECT a.id AS id, \(trace) AS trace, \(time(365, of: lines)) AS at FROM n JOIN \(places) ON \(its)
                 ORDER BY i) AS made
            """,
            """
            \(numbers(logins)) INSERT INTO trace_event
                (trace, at, party, step, situation, detail, app, subscription, epoch)
            SELECT \(trace), \(time(7, of: logins)), 'gateway', 'sighting', 'success', 'mobile, by gateway-1', a.id, \
            i, 1
            FROM n JOIN \(places) ON \(its)
            """,
            """
            \(numbers(logins)) INSERT INTO trace_event (trace, at, party, step, situation, detail)
            SELECT \(trace), \(time(7, of: logins)) + steps.later, 'authority', steps.step, 'success', ''
            FROM n, (SELECT 10 AS later, 'prefetch' AS step UNION ALL SELECT 20, 'authorize' UNION ALL
                SELECT 30, 'loginTokenValidate') AS steps
            """,
            """
            \(numbers(168)) INSERT INTO login_count (app, hour, carrier, party, step, situation, steps)
            SELECT app.id, \(hour) - i, 'mobile', 'authority', steps.step, steps.situation, 9
            FROM n, app, (SELECT 'prefetch' AS step, 'success' AS situation UNION ALL SELECT 'prefetch', \
            'address_unknown'
                UNION ALL SELECT 'authorize', 'success' UNION ALL SELECT 'authorize', 'consent_invalid') AS steps
            """,
        ] + (engine == .postgres ? ["ANALYZE"] : [])
    }
}
