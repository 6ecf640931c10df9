@_spi(Server) import BenjiProtocol
import Logging
import NIOConcurrencyHelpers
import Sightings

// A gateway of a pair: the owner records what it applied, the other one follows and takes over.

extension AccountingProcessor {
    /// Records changes instead of journalling them, and with that says that the owner is alive. Answers whether they
    /// are durable.
    func record(_ changes: [DirectoryChange], in pair: PairMembership) async -> Bool {
        let begun = pair.uptime()
        var rest = changes.filter { !$0.isRenewal }.map { PairEntry($0) }[...]
        var wasCorrected = false
        repeat {
            guard let owned = pair.owned else { return false }
            let part = Self.part(of: rest)
            let outcome: PairRecording
            do {
                outcome = try await pair.service.record(Array(part), fence: owned.fence, after: owned.sequence)
            } catch {
                fail(.recording, error)
                return false
            }
            switch outcome {
            case .recorded(let sequence):
                pair.didRecord(part.count, sequence: sequence)
                rest = rest[part.endIndex...]
            case .overtaken(let sequence) where sequence < owned.sequence:
                logger.error("the pair's record was set back; this gateway reads it anew, and doubts it")
                startOver(pair)
                return false
            case .overtaken(let sequence):
                // An answer was lost, and no other gateway writes under this fence. The entries are written once more.
                pair.correct(sequence: sequence)
                guard !wasCorrected else {
                    fail(.recording)
                    return false
                }
                wasCorrected = true
                continue
            case .replaced:
                logger.error(
                    "another gateway has taken over the pair; this one answers nothing any more, and follows it",
                    metadata: ["fence": "\(owned.fence)"])
                startOver(pair)
                return false
            }
        } while !rest.isEmpty
        pair.didRecordAll(begun: begun)
        return true
    }

    private static func part(of entries: ArraySlice<PairEntry>) -> ArraySlice<PairEntry> {
        var size = 0
        var count = 0
        for entry in entries.prefix(PairEntry.recordLimit) {
            size += entry.key.count + entry.content.count
            if size > PairMembership.recordSize, count > 0 { break }
            count += 1
        }
        return entries.prefix(count)
    }

    /// Forgets all that this gateway knows: another one has changed it since.
    private func startOver(_ pair: PairMembership) {
        pair.lose()
        forgetSessions(pair)
        work.withLockedValue { work in
            let failing = work.failing
            work = Work(exchange: AccountingExchange(configuration: configuration))
            work.failing = failing
        }
        recover([.recording, .revoking, .observing, .full])
    }

    private func forgetSessions(_ pair: PairMembership) {
        let fresh = Directory(configuration: configuration, random: pair.random, now: clock.now)
        directory.withLockedValue { $0 = fresh }
    }

    /// A turn of a gateway that does not own its pair: reads what the owner has recorded, and takes over if there is
    /// none.
    func follow(_ pair: PairMembership) async {
        do {
            try await read(pair)
            if pair.hasClaimed(pair.seen, as: configuration.name), let seen = pair.seen {
                takeOver(pair, seen, silence: nil)
            } else if let seen = pair.claimable {
                let aliveAt = pair.aliveAt
                let standing = try await pair.service.claim(seen: seen)
                // Its owner lives, or another gateway was sooner.
                guard standing.owner == configuration.name, standing.fence == seen.fence + 1 else {
                    return recover([.following, .unreadable])
                }
                pair.didClaim(standing)
                // Reads the entries of the previous owner. From here on it writes nothing.
                try await read(pair)
                takeOver(pair, standing, silence: pair.silence(since: aliveAt))
            }
            recover([.following, .unreadable])
        } catch is UnreadableEntry {
            pair.didFail()
            fail(.unreadable)
        } catch {
            pair.didFail()
            fail(.following, error)
        }
    }

    /// Reads the record to its end.
    private func read(_ pair: PairMembership) async throws {
        while !Task.isCancelled {
            let news = try await pair.service.news(after: pair.readUntil)
            // One that cannot be read must not count as read.
            var changes: [DirectoryChange] = []
            for entry in news.entries { changes.append(try entry.change) }
            guard pair.take(news) else {
                forgetSessions(pair)
                continue
            }
            let now = clock.now
            directory.withLockedValue { [changes] directory in
                for change in changes { directory.restore(change, now: now.wholeSeconds) }
                directory.turn(at: now)
                metrics.sessions(directory.sessions.count)
            }
            if news.isComplete { return }
        }
        throw CancellationError()
    }

    private func takeOver(_ pair: PairMembership, _ standing: PairStanding, silence: Duration?) {
        let now = clock.now
        let misses = directory.withLockedValue { directory -> [DirectoryChange] in
            directory.begin(
                lastHeartbeat: silence.map { now - $0 }, at: now, clockTolerance: configuration.clockTolerance,
                isReached: false)
            return directory.allMisses
        }
        work.withLockedValue { work in
            work.changes = misses
            // Recorded at once, and with it that this gateway is alive.
            work.lastHeartbeat = Timestamp(milliseconds: .min)
        }
        pair.own(standing)
        logger.notice(
            "this gateway has taken over its pair",
            metadata: [
                "fence": "\(standing.fence)", "sessions": "\(directory.withLockedValue { $0.sessions.count })",
            ])
    }

    /// The reason why a gateway that does not own its pair gives no answers, in words for the operator.
    func standing(_ pair: PairMembership) -> String {
        if let problem { return problem }
        guard let seen = pair.seen else { return "standby: the pair's record has not been read yet" }
        return seen.owner.map { "standby: \($0) owns the pair" } ?? "standby: nobody owns the pair"
    }
}
