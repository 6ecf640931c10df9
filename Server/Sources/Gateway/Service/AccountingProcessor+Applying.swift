@_spi(Server) import BenjiProtocol
import NIOConcurrencyHelpers

// The effects of an event on the directory.

extension AccountingProcessor {
    /// Applies what needs nothing from the register, and puts the rest with what the register is to be asked.
    func apply(_ received: Received, of batch: DatagramBatch, at now: Timestamp) -> CompletedPackets {
        let transactions = received.transactions
        var refusals = [DropReason?](repeating: nil, count: transactions.count)
        var waiting: [Int] = []
        var question = Question(batch: batch)
        var faults: [(fault: FeedFault, nas: Int)] = []
        apply(transactions.indices.lazy.filter { transactions[$0].event != nil }, transactions, at: now, &refusals) {
            directory, index, event in
            if let fault = directory.fault(of: event) { faults.append((fault, event.nas)) }
            guard directory.needsRegister(event) else { return Self.identified(withoutRegister: event) }
            question.suspended += directory.suspendHolders(before: event)
            waiting.append(index)
            return nil
        }
        var isAsked = [Bool](repeating: false, count: transactions.count)
        var unusable: [Int] = []
        for index in waiting {
            guard let event = transactions[index].event, let text = event.calling else { continue }
            let read = configuration.networkAccessServers[event.nas].number(text)
            if let number = read, configuration.networkAccessServers[event.nas].serves(number) {
                question.asked.append((transactions[index], event, received.positions[index], number))
                isAsked[index] = true
            } else {
                unusable.append(index)
                faults.append((read == nil ? FeedFault.unusableNumber : .excludedNumber, event.nas))
            }
        }
        noteFaults(faults)
        apply(unusable, transactions, at: now, &refusals) { directory, _, event in
            .unusable(identity: directory.identity(of: event))
        }
        var settled = CompletedPackets(batch: batch)
        for index in transactions.indices where !isAsked[index] {
            settled.packets.append((transactions[index], received.positions[index], refusals[index]))
        }
        if !question.asked.isEmpty, work.withLockedValue({ [question] in $0.take(question) }) { return settled }
        // There is nothing to ask, or too much waits already. Then the NAS repeats its packet, and until then it is a
        // doubt.
        directory.withLockedValue { [question] in $0.resume(question.suspended) }
        for asked in question.asked {
            settled.packets.append((asked.transaction, asked.position, .unavailable))
            doubt(because: asked.event, at: now)
        }
        return settled
    }

    /// Applies the events at `indices`, a slice at a time.
    ///
    /// - Parameters:
    ///   - refusals: by transaction, why its packet is not answered. Those of events that do not take effect are added.
    ///   - identify: returns the event's subscriber. It is called under the lock, before the event is applied; `nil`
    ///     postpones the event.
    func apply(
        _ indices: some Sequence<Int>, _ transactions: [Transaction], at now: Timestamp,
        _ refusals: inout [DropReason?],
        identify: (inout Directory, Int, AccountingEvent) -> Directory.Identified?
    ) {
        var rest = Array(indices)[...]
        var isFull = false
        while !rest.isEmpty {
            let slice = rest.prefix(Self.slice)
            rest = rest.dropFirst(Self.slice)
            var done: [Int] = []
            var full: Set<Int> = []
            var named: [Int] = []
            var unregistered: [Int] = []
            var outcome = Directory.Outcome()
            var late = LateResets()
            directory.withLockedValue { directory in
                // The memory for the events lies far apart. All of it is prefetched at once, not one piece at a time.
                for index in slice { transactions[index].event.map { directory.prefetch(indexesOf: $0) } }
                for index in slice { transactions[index].event.map { directory.prefetch(sessionOf: $0) } }
            }
            directory.forEach(slice) { directory, index in
                guard let event = transactions[index].event, let identified = identify(&directory, index, event)
                else { return }
                let isUnregistered =
                    identified == .nobody && event.calling != nil && !directory.isRefusedAgain(event)
                let before = (outcome.changes.count, outcome.revoked.count)
                outcome.isFull = false
                directory.apply(event, identified: identified, at: now, &outcome)
                if outcome.isFull {
                    full.insert(index)
                } else if directory.makesPhoneKnown(event, identified) {
                    named.append(event.nas)
                } else if isUnregistered, directory.known(event) != nil {
                    unregistered.append(event.nas)
                }
                if event.kind == .reset, outcome.revoked.count - before.1 <= Self.revocationSlice {
                    outcome.changes += directory.didRevoke(outcome.revoked[before.1...])
                } else if outcome.revoked.count - before.1 > Self.revocationSlice {
                    late.scopes.insert(event.scope)
                    late.changes += outcome.changes[before.0...]
                    late.bindings += outcome.revoked[before.1...]
                    outcome.changes.removeLast(outcome.changes.count - before.0)
                    outcome.revoked.removeLast(outcome.revoked.count - before.1)
                }
                done.append(index)
            }
            work.withLockedValue { work in
                for nas in named { work.exchange.didName(nas) }
                for nas in unregistered { work.exchange.note(.notRegistered, of: nas) }
                work.changes += outcome.changes
                work.revocations += outcome.revoked
                work.lateResets.scopes.formUnion(late.scopes)
                work.lateResets.bindings += late.bindings
                work.lateResets.changes += late.changes
                for index in done {
                    if let event = transactions[index].event, event.kind == .reset,
                        work.lateResets.scopes.contains(event.scope)
                    {
                        refusals[index] = .unavailable
                    } else if full.contains(index) {
                        refusals[index] = .full
                        isFull = true
                    } else {
                        work.exchange.didApply(transactions[index])
                    }
                }
            }
        }
        if isFull { fail(.full) }
    }

    private static func identified(withoutRegister event: AccountingEvent) -> Directory.Identified {
        event.calling == nil && event.kind == .start ? .nobody : .unchanged
    }
}
