@_spi(Server) package import BenjiProtocol
package import Requests
package import Sightings
import Store

/// A person's view of the log on their own phone.
extension Authority {
    /// Leaves on one page.
    static let ownLogPage = 30
    /// Requests of one person in an hour. Anyone else behind the phone's address can make them, too.
    static let ownLogLooks = 60
    /// Wrong numbers for one person's proofs in a day, from any client and at any node.
    static let ownLogTries = 5

    /// The leaves of the number's present holder, newest first. For each leaf: its place, kind, time, app and page. The
    /// number is not in the answer.
    ///
    /// - Parameters:
    ///   - before: only leaves before this one.
    ///   - sighting: who is at the other end of the browser's connection.
    package func ownLog(
        before: Int64?, sighting: Result<Sighting, SightingRefusal>
    ) async throws(Refusal) -> JSON {
        let (_, row) = try await ownLogHolder(sighting)
        let evidence = try await logEvidence(of: row, before: before, limit: Self.ownLogPage)
        let names = try await appNames(of: evidence)
        let words = try await pageWords(of: row, Set(evidence.compactMap(\.input.contentDigest)))
        return .object([
            "leaves": .array(
                evidence.map { one in
                    .object([
                        "kind": .string(one.input.kind.rawValue), "at": .integer(one.input.at.milliseconds),
                        "app": .string(names[one.input.appID] ?? one.input.appID.rawValue),
                        "contentDigest": one.input.contentDigest.map { .string($0) },
                        "texts": (one.input.contentDigest.flatMap { words[$0] }).map { texts in
                            .array(texts.map { .string($0) })
                        },
                        "index": .integer(one.inclusion.index),
                    ])
                }),
            "next": evidence.count == Self.ownLogPage ? evidence.last.map { .integer($0.inclusion.index) } : nil,
        ])
    }

    /// The proof of one of these leaves. Numbers can be tried with its salt, so only a caller that knows the number
    /// gets it.
    ///
    /// - Parameters:
    ///   - leaf: its place in the log.
    ///   - number: the number that the person typed. Wrong ones are counted with the other guesses at a number.
    /// - Throws: `notFound` if the list has no such leaf, `numberDiffers` for a wrong number, and `tooManyRequests` for
    ///   any number after too many wrong ones.
    package func ownLogProof(
        of leaf: Int64, number: PhoneNumber, sighting: Result<Sighting, SightingRefusal>
    ) async throws(Refusal) -> JSON {
        let (seen, row) = try await ownLogHolder(sighting)
        guard leaf < .max,
            let evidence = try await logEvidence(of: row, before: leaf + 1, limit: 1).first,
            evidence.inclusion.index == leaf
        else { throw failure(.notFound, "the list has no such leaf") }
        let known: PhoneNumber
        do { known = try vault.number(of: row) } catch { throw failure(.internalError, "the number does not open") }
        let guess = Guess(
            .number, of: seen.subscription, isRight: known == number, now: expiryClock.now, limit: Self.ownLogTries,
            window: .seconds(86400))
        switch try await logged({ store throws(StoreError) in try await store.settle(guess) }) {
        case .right: return evidence.json
        case .wrong: throw failure(.numberDiffers, "the number is not this phone's")
        case .tooMany: throw failure(.tooManyRequests, "the number was typed wrongly too often for one day")
        }
    }

    private func ownLogHolder(
        _ sighting: Result<Sighting, SightingRefusal>
    ) async throws(Refusal) -> (Sighting, SubscriptionRecord) {
        let (seen, row) = try await acceptedSighting(sighting)
        guard ownLogLimiter.admits("\(row.id)/\(row.epoch)", now: clock.now) else {
            throw failure(.tooManyRequests, "this phone's list was asked for too often")
        }
        return (seen, row)
    }

    /// The words on pages, by the pages' digests, as far as the person's consents are kept.
    private func pageWords(
        of row: SubscriptionRecord, _ digests: Set<String>
    ) async throws(Refusal) -> [String: [String]] {
        guard !digests.isEmpty else { return [:] }
        let consents = try await logged { store throws(StoreError) in
            try await store.outerConsents(of: LogLeaf.Holder(subscription: row.id, epoch: row.epoch))
        }
        var words: [String: [String]] = [:]
        for consent in consents where digests.contains(consent.contentDigest) {
            guard let content = ConsentContent.kept(in: consent.record) else { continue }
            words[consent.contentDigest] = content.texts.map(\.text) + content.links.map(\.title)
        }
        return words
    }
}
