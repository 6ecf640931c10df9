@_spi(Server) import BenjiProtocol
import NIOConcurrencyHelpers
import Sightings

// Sessions that end for many at once: those of somebody erased, and those of a whole NAS.

extension AccountingProcessor {
    /// Revocations that must precede the answer to a late Accounting-Off or -On. They cover a whole NAS, a slice at a
    /// time, so that other accounting does not wait for them.
    struct LateResets {
        var scopes: Set<String> = []
        var bindings: [BindingID] = []
        /// For the journal, when the revocations are done.
        var changes: [DirectoryChange] = []
    }

    /// Removes the subscriber from sessions of erased rows, with the next batch, and has the journal rewritten.
    func forget(_ subscriptions: [Int64]) { work.withLockedValue { $0.erased.formUnion(subscriptions) } }

    func forgetErased() {
        let erased = work.withLockedValue { work in
            defer { work.erased = [] }
            if work.unsettled > 0 { work.erasedMeanwhile.formUnion(work.erased) }
            return work.erased
        }
        guard !erased.isEmpty else { return }
        var outcome = Directory.Outcome()
        var start = 0
        var end = 0
        repeat {
            directory.withLockedValue { directory in
                end = directory.sessions.end
                directory.forget(erased, in: start..<min(start + Self.forgettingSlice, end), &outcome)
            }
            start += Self.forgettingSlice
        } while start < end
        work.withLockedValue { work in
            work.changes += outcome.changes
            work.revocations += outcome.revoked
        }
        if !outcome.changes.isEmpty { journal?.askForCompaction() }
    }

    /// Whether a late Accounting-Off waits for its next slice of revocations. Not while the register cannot revoke:
    /// upkeep tries again.
    var hasMoreToRevoke: Bool {
        work.withLockedValue { !$0.lateResets.scopes.isEmpty && $0.failing[.revoking] == nil }
    }

    func revokeLate() async {
        let slice = work.withLockedValue { Array($0.lateResets.bindings.suffix(Self.revocationSlice)) }
        if !slice.isEmpty {
            do { try await register.revoke(slice) } catch { return fail(.revoking, error) }
            // Where batches have revocations of their own, they say when these work again.
            if work.withLockedValue({ $0.revocations.isEmpty }) { recover([.revoking]) }
        }
        let renewed = directory.withLockedValue { $0.didRevoke(slice) }
        work.withLockedValue { work in
            work.lateResets.bindings.removeLast(slice.count)
            work.changes += renewed
            guard work.lateResets.bindings.isEmpty else { return }
            // Now it may be kept, and the NAS's repetition be answered.
            work.changes += work.lateResets.changes
            work.lateResets = LateResets()
        }
    }
}
