package import BenjiProtocol
package import Sightings
import StoreRows

extension Session {
    package func put(
        _ entries: [PairEntry], ofPair pair: String, after sequence: Int64, at moment: Timestamp
    ) throws {
        try run(
            """
            INSERT INTO gateway_entry (pair, key, sequence, content, ended_at)
                SELECT $1, n.key, $2 + n.place, n.content, n.ended_at
                FROM unnest($3, $4, $5) WITH ORDINALITY AS n (key, content, ended_at, place)
            ON CONFLICT (pair, key) DO UPDATE
                SET sequence = excluded.sequence, content = excluded.content, ended_at = excluded.ended_at
            """, pair, sequence, Values(entries.map(\.key)), Values(entries.map(\.content)),
            Values(entries.map { $0.isEnd ? moment.milliseconds : nil }))
    }
}

extension PairRows {
    /// How the pairs of these fences stand.
    static func standings(of fences: [PairFence]) -> Statement {
        Statement(
            "SELECT \(columns), name FROM gateway_pair WHERE name = ANY($1)", Values(Set(fences.map(\.pair)).sorted()))
    }

    static func standings(_ answer: Answer) throws -> [String: PairStanding] {
        let rows = try answer.rows(of: "gateway_pair") { columns in
            (standing: try decode(&columns), name: try columns.text())
        }
        return Dictionary(rows.map { ($0.name, $0.standing) }) { first, _ in first }
    }
}
