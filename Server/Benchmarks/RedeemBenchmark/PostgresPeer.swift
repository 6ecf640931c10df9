import BenchmarkSupport
import Foundation

/// A function in PostgreSQL that spends a token and writes a line of the ledger. pgbench calls it: Debian has no driver
/// with which nginx could, without waiting for each answer. So no HTTP is in its figures, which flatters it.
final class PostgresPeer {
    private let scratch: Scratch
    private let database: PostgreSQL
    private let load: Load
    private let group = ProcessGroup()
    private var made = 0
    private let spending: String

    init(_ scratch: Scratch, core: Int, load: Load) throws {
        (self.scratch, self.load) = (scratch, load)
        database = try PostgreSQL(in: scratch, core: core, group: group)
        spending = scratch.file("spend.sql")
        // Clients take turns, so that no token is asked for twice.
        try """
        \\set id :first + :client_id + \(load.connections) * :turn
        \\set turn :turn + 1
        SELECT redeem('token-' || :id, '300000000001', 'message-' || :id);

        """.write(toFile: spending, atomically: true, encoding: .utf8)
        try database.start()
        try database.run(
            """
            CREATE TABLE token (hash bytea PRIMARY KEY, app text NOT NULL, number bytea NOT NULL,
                expires_at timestamptz NOT NULL, spent_at timestamptz);
            CREATE TABLE ledger (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, app text NOT NULL,
                message text NOT NULL, at timestamptz NOT NULL);
            CREATE FUNCTION redeem(text, text, text) RETURNS bytea LANGUAGE plpgsql AS $$
            DECLARE held bytea;
            BEGIN
                UPDATE token SET spent_at = now()
                    WHERE hash = sha256($1::bytea) AND app = $2 AND spent_at IS NULL AND expires_at > now()
                    RETURNING number INTO held;
                IF NOT FOUND THEN RAISE EXCEPTION 'no such token'; END IF;
                INSERT INTO ledger (app, message, at) VALUES ($2, $3, now());
                RETURN held;
            END $$;
            CREATE FUNCTION accepts(text) RETURNS boolean LANGUAGE plpgsql AS $$
            BEGIN
                PERFORM redeem($1, '300000000001', 'again');
                RETURN true;
            EXCEPTION WHEN raise_exception THEN RETURN false;
            END $$;
            """)
    }

    /// - Parameters:
    ///   - perRound: tokens made and spent in each round.
    ///   - codes: as many for each client.
    func contestant(perRound: Int, codes: (slice: Int, kill: Int)) -> Contestant {
        Contestant(
            name: "PostgreSQL function", group: group, start: { [database] in try database.start(tracing: $0) },
            take: take,
            round: { [self] _ in
                let first = made
                _ = try take(perRound)
                return try measured(first: first, count: perRound)
            },
            spend: { [self] codes, kill in
                guard let kill else {
                    try bench(first: number(codes[0]), ["-t", "\(codes.count / load.connections)"])
                    return codes
                }
                return try killed(codes, kill)
            },
            accepted: { [self] codes in
                // A command's argument ends after 128 KiB.
                try stride(from: 0, to: codes.count, by: 4096).reduce(0) { count, first in
                    let piece = codes[first..<min(first + 4096, codes.count)].joined(separator: ",")
                    let said = try database.run(
                        "SELECT count(*) FROM unnest(string_to_array('\(piece)', ',')) token WHERE accepts(token)")
                    return count + (Int(said.filter(\.isNumber)) ?? 0)
                }
            }, codes: codes)
    }

    private func number(_ code: String) -> Int { Int(code.dropFirst("token-".count)) ?? 0 }

    private func take(_ count: Int) throws -> [String] {
        let numbers = made..<(made + count)
        try database.run(
            """
            INSERT INTO token SELECT sha256(('token-' || id)::bytea), '300000000001', '\\x0102', now() + interval '1 \
            day'
            FROM generate_series(\(numbers.lowerBound), \(numbers.upperBound - 1)) id
            """, "VACUUM ANALYZE token", "CHECKPOINT")
        made += count
        return numbers.map { "token-\($0)" }
    }

    private func words(first: Int, _ more: [String]) -> [String] {
        ["-n", "-M", "prepared", "-c", "\(load.connections)", "-j", "1", "-f", spending, "-D", "first=\(first)"]
            + ["-D", "turn=0"] + more + ["postgres"]
    }

    @discardableResult
    private func bench(first: Int, _ more: [String]) throws -> String {
        try database.client("pgbench", words(first: first, more), core: load.core)
    }

    private var ledger: Int { get throws { Int(try database.run("SELECT count(*) FROM ledger").dropLast()) ?? 0 } }

    /// A count and not a time: pgbench's time begins before its clients are connected.
    private func measured(first: Int, count: Int) throws -> Measurement {
        let lines = try ledger
        let (processor, written) = (try group.processorTime, group.written)
        let said = try bench(first: first, ["-t", "\(count / load.connections)"])
        let (used, bytes) = (try group.processorTime - processor, group.written - written)
        func figure(_ name: String) -> Double? {
            said.split(separator: "\n").first { $0.hasPrefix(name) }?.dropFirst(name.count)
                .split(whereSeparator: { " /".contains($0) }).first.flatMap { Double($0) }
        }
        guard let requests = figure("number of transactions actually processed: "), let rate = figure("tps = "),
            try ledger - lines == Int(requests), requests > 0
        else { throw BenchmarkFailure("PostgreSQL's ledger and pgbench do not agree: \(said.suffix(400))") }
        return Measurement(
            requests: Int(requests), seconds: requests / rate, processor: used / requests * 1e6,
            written: Double(bytes) / requests, median: figure("latency average = ") ?? 0, nearlyAll: 0)
    }

    /// Which of these codes were answered before the kill: pgbench writes down each.
    private func killed(_ codes: [String], _ kill: () -> Void) throws -> [String] {
        let (prefix, before, first) = (scratch.file("answered"), try ledger, number(codes[0]))
        let bench = try database.startClient(
            "pgbench",
            words(first: first, ["-t", "\(codes.count / load.connections)", "-l", "--log-prefix", prefix]),
            core: load.core)
        while bench.isRunning, try ledger - before < codes.count / 2 {}
        kill()
        try bench.wait { !bench.isRunning }
        let text = String(
            decoding: FileManager.default.contents(atPath: "\(prefix).\(bench.process)") ?? Data(), as: UTF8.self)
        return text.split(separator: "\n").compactMap { line in
            // The client, and which of its transactions, counted from 1.
            let fields = line.split(separator: " ").prefix(2).compactMap { Int($0) }
            return fields.count == 2 ? "token-\(first + fields[0] + load.connections * (fields[1] - 1))" : nil
        }
    }
}
