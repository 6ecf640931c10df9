@_spi(Server) import BenjiProtocol
import NIOConcurrencyHelpers
import Sightings

// Packets about which the register must be asked.

extension AccountingProcessor {
    /// Packets that wait for what the register says of them.
    struct Question: Sendable {
        let batch: DatagramBatch
        /// The packets, each with its position in the batch, and whose number each names.
        var asked: [(transaction: Transaction, event: AccountingEvent, position: Int, number: PhoneNumber)] = []
        /// Sessions that answer nothing until this is settled.
        var suspended: [SessionKey] = []

        mutating func suspendHolders(_ directory: inout Directory) {
            for asked in asked { suspended += directory.suspendHolders(before: asked.event) }
        }
    }

    /// A question and what the register said; `nil` if it could not be asked.
    struct RegisterAnswer: Sendable {
        let questions: [Question]
        let references: [SubscriptionReference?]?
    }

    /// Whether there are packets about which the register has not been asked.
    var hasQuestions: Bool { work.withLockedValue { !$0.waiting.isEmpty } }

    /// Whether packets wait for the register, or for ``process(_:)`` after it was asked.
    var hasUnsettled: Bool { work.withLockedValue { $0.unsettled > 0 } }

    /// Asks the register about all packets that wait for it. Runs beside ``process(_:)``, which answers them when it is
    /// called the next time; not beside itself.
    func askRegister() async {
        let questions = work.withLockedValue { work in
            work.asking = work.waiting
            work.waiting = []
            return work.asking
        }
        guard !questions.isEmpty else { return }
        let references = await observe(questions.flatMap(\.asked).map { ($0.event, $0.number) })
        work.withLockedValue { work in
            work.told.append(RegisterAnswer(questions: work.asking, references: references))
            work.asking = []
        }
    }

    /// Asks the register until no packet waits for it, and hands over the answers. Not beside ``process(_:)``.
    func settleAll(_ take: (AnswerBatch) async -> Void) async {
        while hasUnsettled {
            await askRegister()
            await take(await process(DatagramBatch()))
        }
    }

    /// Applies the packets about which the register has been asked.
    func settle(_ told: RegisterAnswer, at now: Timestamp) -> [CompletedPackets] {
        var rest = told.references.map { $0[...] }
        let settled = told.questions.map { question in
            var settled = CompletedPackets(batch: question.batch)
            let transactions = question.asked.map(\.transaction)
            var refusals = [DropReason?](
                repeating: told.references == nil ? .unavailable : nil, count: transactions.count)
            if let references = rest?.prefix(transactions.count) {
                rest?.removeFirst(transactions.count)
                apply(transactions.indices, transactions, at: now, &refusals) { directory, index, event in
                    let identity = directory.identity(of: event)
                    let reference = references[references.startIndex + index]
                    return directory.meaning(
                        of: reference.map { .subscriber($0, identity: identity) } ?? .nobody, for: event)
                }
            }
            settled.packets = zip(question.asked, refusals).map { ($0.transaction, $0.position, $1) }
            return settled
        }
        work.withLockedValue { work in
            work.unsettled -= told.questions.reduce(0) { $0 + $1.asked.count }
            work.erased.formUnion(work.erasedMeanwhile)
            work.erasedMeanwhile = []
            directory.withLockedValue { directory in
                for question in told.questions { directory.resume(question.suspended) }
                // Those that still wait may speak against the same sessions, or against new ones.
                for index in work.asking.indices { work.asking[index].suspendHolders(&directory) }
                for index in work.waiting.indices { work.waiting[index].suspendHolders(&directory) }
            }
        }
        if told.references == nil {
            // The NAS says it again. Until then what it said is a doubt.
            for asked in told.questions.flatMap(\.asked) { doubt(because: asked.event, at: now) }
        }
        return settled
    }

    private func observe(_ events: [(AccountingEvent, PhoneNumber)]) async -> [SubscriptionReference?]? {
        let servers = configuration.networkAccessServers
        let observations = directory.withLockedValue { directory in
            events.map { event, number in
                SubscriberObservation(
                    number: number, imsi: event.imsi, carrier: servers[event.nas].carrier, eventTime: event.timestamp,
                    startsSession: directory.startsSession(event))
            }
        }
        do {
            let references = try await register.observe(observations)
            guard references.count == events.count else {
                fail(.observing)
                return nil
            }
            recover([.observing])
            return references
        } catch {
            fail(.observing, error)
            return nil
        }
    }
}
