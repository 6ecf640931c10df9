import BenjiProtocol
import Foundation
import Store
import StoreRows

/// The contents that pages showed, for the consents being written (decision 38).
struct ConsentPieces {
    /// Spellings of one page that are kept; consents in a further one are kept whole.
    private static let spellings = 4

    private struct Piece {
        var id: Int64
        var receivedAt: Int64
        var text: String
    }

    private var known: [String: [Piece]] = [:]
    private var touched: [Int64: Int64] = [:]

    init(of consents: [ConsentEvidence], _ db: Session) throws {
        let found = try db.rows(
            "SELECT digest, id, received_at, text FROM consent_content WHERE digest = ANY($1) ORDER BY id",
            of: "consent_content", Values(Set(consents.map(\.contentDigest)))
        ) { columns in
            (
                digest: try columns.text(),
                piece: Piece(
                    id: try columns.integer(), receivedAt: try columns.integer(), text: try columns.text())
            )
        }
        for one in found { known[one.digest, default: []].append(one.piece) }
    }

    /// The record as it is kept: without its piece, which is written if it is the first of its spelling.
    mutating func divide(
        _ consent: ConsentEvidence, _ db: Session
    ) throws -> (record: String, piece: Int64?, place: Int?) {
        let record = Data(consent.record.utf8)
        let receivedAt = consent.receivedAt.milliseconds
        let pieces = known[consent.contentDigest] ?? []
        for piece in pieces {
            guard let range = record.range(of: Data(piece.text.utf8)) else { continue }
            if receivedAt - max(piece.receivedAt, touched[piece.id] ?? .min) > ConsentRows.pieceAge {
                touched[piece.id] = receivedAt
            }
            return Self.divided(record, piece.id, range)
        }
        guard pieces.count < Self.spellings, let range = SharedPiece.range(in: record) else {
            return (consent.record, nil, nil)
        }
        let text = String(decoding: record[range], as: UTF8.self)
        // If another transaction inserted the same piece first, this record is kept whole.
        let id = try db.row(
            """
            INSERT INTO consent_content (digest, text, received_at) VALUES ($1, $2, $3)
            ON CONFLICT DO NOTHING RETURNING id
            """, of: "consent_content", consent.contentDigest, text, receivedAt
        ) { try $0.integer(Int64.self) }
        guard let id else { return (consent.record, nil, nil) }
        known[consent.contentDigest, default: []].append(Piece(id: id, receivedAt: receivedAt, text: text))
        return Self.divided(record, id, range)
    }

    private static func divided(
        _ record: Data, _ piece: Int64, _ range: Range<Int>
    ) -> (record: String, piece: Int64?, place: Int?) {
        (
            String(decoding: record[..<range.lowerBound] + record[range.upperBound...], as: UTF8.self), piece,
            range.lowerBound
        )
    }

    /// Writes the times of pieces that are used again.
    var touching: [Statement] {
        if touched.isEmpty { return [] }
        let pieces = touched.sorted { $0.key < $1.key }
        return [
            Statement(
                """
                UPDATE consent_content AS c SET received_at = greatest(c.received_at, n.at)
                FROM unnest($1, $2) AS n (id, at) WHERE c.id = n.id
                """, Values(pieces.map(\.key)), Values(pieces.map(\.value)))
        ]
    }
}
