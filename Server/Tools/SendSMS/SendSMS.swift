// Sends short messages, each requested by a line of JSON, and reports their outcomes. Tests run it against SMSCs and
// providers of other people.
import ArgumentParser
import AsyncHTTPClient
@_spi(Server) import BenjiProtocol
import Foundation
import Logging
import NIOSSL
import SMPP
import ShortMessageSending
import ShortMessages
import Synchronization

/// Reads `{"send": 1, "to": "+8613800138000", "text": "…", "seconds": 5}`, `{"trouble": 1}` and `{"keep": false}` from
/// its input until that ends; writes an object a line for each outcome, receipt and message.
@main
struct SendSMS: AsyncParsableCommand {
    @Option(help: "NAME,HOST,PORT,SYSTEM-ID,PASSWORD of an SMSC; again for the next one to ask.")
    var smpp: [String] = []
    @Option(help: "PEM certificates by which the SMSCs are known; plain TCP if absent.")
    var authority: String?
    @Option(help: "NAME,URL of a provider, asked after the SMSCs.")
    var http: [String] = []
    @Option(help: "NAME,PATH of a file, asked last.")
    var file: [String] = []
    @Option(help: "Seconds that an answer may take.")
    var responseTime = 2
    @Option(help: "Seconds of silence after which an SMSC is asked.")
    var enquireAfter = 2

    func run() async throws {
        let words = Words()
        var logger = Logger(label: "sms") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .info
        var senders: [any ShortMessageSender] = []
        var sessions: [SMPPSender] = []
        let clients = http.map { _ in HTTPSender.client(tls: nil, responseTime: .seconds(responseTime)) }
        for line in smpp {
            let parts = line.split(separator: ",").map(String.init)
            guard parts.count == 5, let port = Int(parts[2]) else { throw ValidationError("--smpp \(line)") }
            var session = SMPPSession.Settings(
                bind: Bind(kind: .transceiver, systemID: parts[3], password: parts[4]))
            session.responseTime = .seconds(responseTime)
            session.enquireAfter = .seconds(enquireAfter)
            session.longestPause = .seconds(1)
            var configuration = SMPPSender.Configuration(
                name: parts[0], host: parts[1], port: port, session: session, source: "10690")
            if let authority {
                var tls = TLSConfiguration.makeClientConfiguration()
                tls.trustRoots = .file(authority)
                configuration.tls = try NIOSSLContext(configuration: tls)
            }
            let sender = SMPPSender(
                configuration, listener: CountingListener(words), clock: SystemWallClock(),
                random: SystemRandomSource(),
                logger: logger)
            sessions.append(sender)
            senders.append(sender)
        }
        for (line, client) in zip(http, clients) {
            let parts = line.split(separator: ",", maxSplits: 1).map(String.init)
            var configuration = HTTPSender.Configuration(name: parts[0], url: parts[1])
            configuration.header = ("authorization", "Bearer secret")
            configuration.responseTime = .seconds(responseTime)
            senders.append(HTTPSender(configuration, client: client))
        }
        for line in file {
            let parts = line.split(separator: ",", maxSplits: 1).map(String.init)
            senders.append(
                FileSender(name: parts[0], path: parts[1], clock: SystemWallClock(), random: SystemRandomSource()))
        }
        let list = SenderList(senders)
        await withTaskGroup(of: Void.self) { tasks in
            for session in sessions { tasks.addTask { await session.run() } }
            await withDiscardingTaskGroup { orders in
                for await line in Self.lines() {
                    guard let order = try? JSON(parsing: line) else { continue }
                    orders.addTask { await Self.perform(order, list, words) }
                }
            }
            tasks.cancelAll()
        }
        for client in clients { try await client.shutdown() }
    }

    private static func perform(_ order: JSON, _ list: SenderList, _ words: Words) async {
        if let id = order["send"]?.integerValue {
            let seconds = order["seconds"]?.integerValue ?? 10
            let message = ShortMessage(
                to: PhoneNumber(order["to"]?.stringValue ?? "")!, text: order["text"]?.stringValue ?? "",
                expiresAt: SystemWallClock().now + .seconds(300))
            let outcome = await list.send(message, before: .now + .seconds(seconds))
            switch outcome {
            case .accepted(let by, let reference):
                words.say([
                    "sent": .integer(id), "outcome": .string("accepted"), "by": .string(by),
                    "reference": .string(reference),
                ])
            case .notTaken(let reason):
                words.say(["sent": .integer(id), "outcome": .string("notTaken"), "reason": .string(reason.rawValue)])
            case .unknown(let by):
                words.say(["sent": .integer(id), "outcome": .string("unknown"), "by": .string(by)])
            }
        } else if let id = order["trouble"]?.integerValue {
            let troubles = await list.troubles()
            words.say([
                "trouble": .integer(id), "all": .bool(await list.trouble() != nil),
                "words": .array(troubles.map { .string($0) }),
            ])
        } else if let keeps = order["keep"]?.boolValue {
            words.keeps.withLock { $0 = keeps }
        }
    }

    /// Standard input, read in a thread of its own.
    private static func lines() -> AsyncStream<String> {
        let (lines, input) = AsyncStream<String>.makeStream()
        let thread = Thread {
            while let line = readLine() { input.yield(line) }
            input.finish()
        }
        thread.start()
        return lines
    }
}

/// Reports receipts and messages, and keeps them or not as configured.
private final class Words: ShortMessageListener {
    let keeps = Mutex(true)
    private let output = Mutex(())

    func say(_ members: KeyValuePairs<String, JSON?>) {
        // Bypasses the C library's buffers: flushing those waits for a thread that reads from standard input.
        let line = Data(JSON.object(members).serialized + [0x0a])
        output.withLock { _ in FileHandle.standardOutput.write(line) }
    }

    func hear(_ receipt: DeliveryReceipt) async -> ReceiptOutcome {
        let kept = keeps.withLock { $0 }
        say([
            "receipt": .string(receipt.reference), "by": .string(receipt.sender),
            "state": .string(receipt.state.rawValue), "error": receipt.error.map { .string($0) },
            "kept": .bool(kept),
        ])
        return kept ? .matched : .notKept
    }

    func hear(_ message: ReceivedShortMessage) async -> Bool {
        say(["message": .string(message.text), "by": .string(message.sender), "to": .string(message.to)])
        return keeps.withLock { $0 }
    }
}
