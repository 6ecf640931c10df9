import AsyncHTTPClient
@_spi(Server) import BenjiProtocol
import Foundation
import ShortMessages
import Synchronization
import Testing

@testable import ShortMessageSending

/// Answers what it is told, and remembers how often it was asked.
private final class ScriptedSender: ShortMessageSender {
    let name: String
    private let outcomes: Mutex<[SubmissionOutcome]>
    private let asked = Mutex(0)
    private let fault: String?

    init(_ name: String, _ outcomes: [SubmissionOutcome], fault: String? = nil) {
        self.name = name
        self.outcomes = Mutex(outcomes)
        self.fault = fault
    }

    var count: Int { asked.withLock { $0 } }

    func send(_ message: ShortMessage, before deadline: ContinuousClock.Instant) async -> SubmissionOutcome {
        asked.withLock { $0 += 1 }
        return outcomes.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
    }

    func trouble() async -> String? { fault }
}

private let message = ShortMessage(
    to: PhoneNumber("8613800138000")!, text: "Code 123456", expiresAt: Timestamp(seconds: 4_000_000_000))
private let origin = ContinuousClock.now  // gate: an origin for instants
private let later = origin + .seconds(86400)

struct SenderListTests {
    private let second = ScriptedSender("second", [.accepted(by: "second", reference: "2")])

    @Test(
        "the next sender is asked after trouble of the one before",
        arguments: [NotTakenReason.throttled, .unavailable])
    func next(reason: NotTakenReason) async {
        let list = SenderList([ScriptedSender("first", [.notTaken(reason: reason)]), second])
        #expect(await list.send(message, before: later) == .accepted(by: "second", reference: "2"))
    }

    @Test(
        """
        nobody else is asked after an acceptance, after a verdict on the number or the text, or when the fate is unknown
        """,
        arguments: [
            .accepted(by: "first", reference: "1"), .unknown(by: "first"), .notTaken(reason: .destination),
            .notTaken(reason: .refused),
        ] as [SubmissionOutcome])
    func last(outcome: SubmissionOutcome) async {
        let list = SenderList([ScriptedSender("first", [outcome]), second])
        #expect(await list.send(message, before: later) == outcome)
        #expect(second.count == 0)
    }

    @Test("a sender in trouble is asked after the others, and before nobody")
    func passedOver() async {
        let first = ScriptedSender("first", [.notTaken(reason: .unavailable)])
        let third = ScriptedSender("third", [.notTaken(reason: .throttled)])
        let list = SenderList([first, third])
        #expect(await list.send(message, before: later) == .notTaken(reason: .throttled))
        // Both are passed over now, and so both are asked.
        _ = await list.send(message, before: later)
        #expect(first.count == 2 && third.count == 2)
        let other = SenderList([first, second])
        _ = await other.send(message, before: later)
        _ = await other.send(message, before: later)
        #expect(first.count == 3 && second.count == 2)
    }

    @Test("nobody is asked after the caller's deadline")
    func deadline() async {
        let list = SenderList([second])
        #expect(await list.send(message, before: .now) == .notTaken(reason: .unavailable))
        #expect(second.count == 0)
    }

    @Test("a list is in trouble when all its senders are")
    func trouble() async {
        let broken = ScriptedSender("first", [.unknown(by: "first")], fault: "first: no connection")
        #expect(await SenderList([broken, second]).trouble() == nil)
        #expect(await SenderList([broken, second]).troubles() == ["first: no connection"])
        #expect(await SenderList([broken, broken]).trouble() == "first: no connection; first: no connection")
    }
}

struct CountingListenerTests {
    private func labels(
        _ outcome: ReceiptOutcome, _ state: DeliveryReceipt.State, _ error: String?, isFromSender: Bool = true
    ) -> [String]? {
        let receipt = DeliveryReceipt(
            sender: "smsc", reference: "7", state: state, error: error, isFromSender: isFromSender,
            at: Timestamp(seconds: 4_000_000_000))
        return CountingListener.labels(of: receipt, outcome)?.map { "\($0.0)=\($0.1)" }
    }

    @Test("a receipt counts under its state and error code if its message is known, as unmatched if not, and once")
    func counts() {
        #expect(labels(.matched, .delivered, nil) == ["sender=smsc", "state=delivered", "error=none"])
        #expect(
            labels(.matched, .undeliverable, "MK:0001") == ["sender=smsc", "state=undeliverable", "error=MK:0001"])
        // One that counted by its own word alone would count a delivery here.
        #expect(labels(.unmatched, .delivered, nil) == ["sender=smsc", "state=unmatched", "error=none"])
        #expect(labels(.unmatched, .rejected, "075") == ["sender=smsc", "state=unmatched", "error=none"])
        #expect(labels(.notKept, .delivered, nil) == nil)
    }

    @Test("a phone that writes receipts of its own messages with a new code in each makes one series")
    func series() {
        let codes = (0..<300).map { "X-\($0)" }
        let marked = Set(codes.compactMap { labels(.matched, .undeliverable, $0) })
        #expect(marked.count == 300, "one that counts every receipt by its code makes as many of a phone's")
        let written = Set(codes.compactMap { labels(.matched, .undeliverable, $0, isFromSender: false) })
        #expect(written.count == 1)
        #expect(written.first == ["sender=smsc", "state=undeliverable", "error=none"])
    }
}

struct FailOverTests {
    @Test(
        """
        a sender is passed over for fifteen seconds after a fault, for one after throttling, and for none after a \
        verdict
        """
    )
    func pauses() {
        let now = origin
        for (outcome, pause) in [
            (.unknown(by: "a"), .seconds(15)), (.notTaken(reason: .unavailable), .seconds(15)),
            (.notTaken(reason: .throttled), .seconds(1)), (.notTaken(reason: .refused), .zero),
            (.notTaken(reason: .destination), .zero), (.accepted(by: "a", reference: "1"), .zero),
        ] as [(SubmissionOutcome, Duration)] {
            var failOver = FailOver(count: 2)
            failOver.note(outcome, of: 0, at: now)
            if pause > .zero { #expect(failOver.order(at: now + pause - .milliseconds(1)) == [1, 0]) }
            #expect(failOver.order(at: now + pause) == [0, 1])
        }
    }

    @Test("a sender that took a message is not passed over any more")
    func mended() {
        let now = origin
        var failOver = FailOver(count: 2)
        failOver.note(.notTaken(reason: .unavailable), of: 0, at: now)
        failOver.note(.accepted(by: "a", reference: "1"), of: 0, at: now)
        #expect(failOver.order(at: now) == [0, 1])
    }
}

struct FileSenderTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("benji-sms-\(UUID())")

    private func sender(_ path: String) -> FileSender {
        FileSender(name: "file", path: path, clock: SystemWallClock(), random: SystemRandomSource())
    }

    @Test("each message is a line of JSON in a file that only its owner may read, also where the file was there before")
    func lines() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("messages.jsonl").path
        try #require(
            FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o644]))
        let sender = sender(path)
        var references: [String] = []
        for _ in 0..<2 {
            guard case .accepted(by: "file", let reference) = await sender.send(message, before: later) else {
                Issue.record("not accepted")
                return
            }
            references.append(reference)
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
            try JSON(parsing: String($0))
        }
        #expect(lines.map { $0["to"]?.stringValue } == ["+8613800138000", "+8613800138000"])
        #expect(lines.map { $0["text"]?.stringValue } == ["Code 123456", "Code 123456"])
        #expect(lines.map { $0["reference"]?.stringValue } == references)
        #expect(Set(references).count == 2)
        #expect(await sender.trouble() == nil)
    }

    @Test("a device keeps its rights, and takes nothing")
    func device() async {
        let sender = sender("/dev/null")
        #expect(await sender.send(message, before: later) == .notTaken(reason: .unavailable))
        #expect(await sender.trouble()?.contains("is no regular file") == true)
    }

    @Test("a file that cannot be written takes nothing, and neither does a link")
    func faults() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let link = folder.appendingPathComponent("link").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/null")
        for path in [link, folder.appendingPathComponent("none/messages.jsonl").path] {
            let sender = sender(path)
            #expect(await sender.send(message, before: later) == .notTaken(reason: .unavailable))
            #expect(await sender.trouble()?.contains("cannot be opened") == true)
        }
    }
}

struct HTTPSenderTests {
    private func sender(id: String = "id") -> HTTPSender {
        var configuration = HTTPSender.Configuration(name: "provider", url: "https://sms.example/send")
        configuration.fields.id = id
        return HTTPSender(configuration, client: HTTPClient.shared)
    }

    @Test(
        "an answer's status says what became of the message",
        arguments: [
            (400, .notTaken(reason: .refused)), (422, .notTaken(reason: .refused)),
            (429, .notTaken(reason: .throttled)),
            (401, .notTaken(reason: .unavailable)), (403, .notTaken(reason: .unavailable)),
            (302, .notTaken(reason: .unavailable)), (503, .notTaken(reason: .unavailable)),
            (408, .unknown(by: "provider")), (500, .unknown(by: "provider")), (502, .unknown(by: "provider")),
            (504, .unknown(by: "provider")), (599, .unknown(by: "provider")),
        ] as [(Int, SubmissionOutcome)])
    func status(status: Int, outcome: SubmissionOutcome) {
        #expect(sender().outcome(status, Array(#"{"id":"a"}"#.utf8)).0 == outcome)
    }

    @Test(
        "an acceptance has an id, wherever the provider puts it, and is unknown without one",
        arguments: [
            ("id", #"{"id":"a-1"}"#, "a-1"), ("id", #"{"id":17}"#, "17"), ("id", #"{"error":"no"}"#, nil),
            ("id", #"{"id":""}"#, nil), ("id", "OK", nil), ("messages.0.sid", #"{"messages":[{"sid":"b"}]}"#, "b"),
            ("messages.1.sid", #"{"messages":[{"sid":"b"}]}"#, nil),
        ] as [(String, String, String?)])
    func id(path: String, body: String, id: String?) {
        let outcome = sender(id: path).outcome(200, Array(body.utf8)).0
        #expect(outcome == id.map { .accepted(by: "provider", reference: $0) } ?? .unknown(by: "provider"))
    }
}
