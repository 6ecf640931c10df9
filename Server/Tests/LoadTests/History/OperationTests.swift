import Foundation
import Testing

@testable import Load

@Suite("The history of a run")
struct OperationTests {
    private let token = "AABBCCDDEE0011223344556677889900"

    @Test("an operation is one line with the members that the judge reads")
    func line() {
        var operation = Operation(.redeem, start: 10, phone: 3, app: "300000000001", token: "0123456789abcdef")
        operation.end = 25
        operation.outcome = "103000"
        operation.released = 3
        #expect(
            operation.line
                == #"{"start":10,"end":25,"op":"redeem","phone":3,"app":"300000000001","token":"0123456789abcdef","#
                + #""outcome":"103000","released":3}"#
        )
    }

    @Test("an operation without an answer has neither end nor outcome")
    func unanswered() {
        var operation = Operation(.prefetch, start: 10, phone: 3, app: "300000000001")
        operation.outcome = "left over"
        #expect(
            operation.line
                == #"{"start":10,"end":null,"op":"prefetch","phone":3,"app":"300000000001","token":null,"#
                + #""outcome":null,"released":null}"#
        )
    }

    @Test("a history names a token by the beginning of its SHA-256, as the judge's own clients do")
    func hash() {
        // printf %s AABB… | sha256sum
        #expect(Operation.shortHash(of: token) == "89badc423a890cf2")
        #expect(!Operation.shortHash(of: token).contains(token.prefix(8)))
    }

    @Test("what was recorded is in the file, answered or not, and only its owner may read it")
    func file() throws {
        let path = NSTemporaryDirectory() + "/benji-history-\(UUID().uuidString).jsonl"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = try HistoryFile(path: path)
        let recorder = Recorder(history: file)
        recorder.answered(
            Operation(.prefetch, start: recorder.now, phone: 0, app: "a"), code: "success", succeeded: true)
        recorder.unanswered(Operation(.authorize, start: recorder.now, phone: 0, app: "a"), fault: .timedOut)
        recorder.add(.connect, microseconds: 5, failure: nil)
        #expect(file.close())
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].contains(#""outcome":"success""#))
        #expect(lines[1].contains(#""end":null"#))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let tally = recorder.takeWhole()
        #expect(tally[.authorize].failures == ["(timed out)": 1])
        #expect(tally[.authorize].latency.count == 0)
        #expect(recorder.takeWhole() == Tally())
    }
}
