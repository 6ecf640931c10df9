package import BenjiProtocol
package import GRDB
package import Sightings
import StoreRows

extension Database {
    package func put(
        _ entries: [PairEntry], ofPair pair: String, after sequence: Int64, at moment: Timestamp
    ) throws {
        for (place, entry) in entries.enumerated() {
            try run(
                """
                INSERT INTO gateway_entry (pair, key, sequence, content, ended_at) VALUES (?1, ?2, ?3, ?4, ?5)
                ON CONFLICT (pair, key) DO UPDATE
                    SET sequence = excluded.sequence, content = excluded.content, ended_at = excluded.ended_at
                """, pair, entry.key, sequence + Int64(place) + 1, entry.content,
                entry.isEnd ? moment.milliseconds : nil)
        }
    }
}
