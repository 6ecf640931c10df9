@_spi(Server) import BenjiProtocol
import Testing

@testable import Gateway

struct AnswerBatchTests {
    private func batch(_ answers: [(bytes: [UInt8], port: UInt16, socket: Int)]) -> AnswerBatch {
        var batch = AnswerBatch()
        for (bytes, port, socket) in answers {
            let request = DatagramBatch([Datagram(bytes: [1], source: Network.source, port: port)], socket: socket)
            let start = batch.bytes.count
            batch.bytes += bytes
            batch.end(from: start, to: request.envelopes[0])
        }
        return batch
    }

    @Test("answers of equal length to one port lie together, in their order; others are apart")
    func groups() {
        let (bytes, bursts) = batch([
            ([1, 1], 1, 0), ([2, 2], 2, 0), ([3, 3], 1, 0), ([4, 4, 4], 1, 0), ([5, 5], 1, 1), ([6, 6], 1, 0),
        ]).ordered(limit: 64)
        let found = bursts.map { "\($0.destination.socket):\($0.destination.port) \($0.segment) \(bytes[$0.range])" }
        #expect(found == ["0:1 2 [1, 1, 3, 3, 6, 6]", "0:2 2 [2, 2]", "0:1 3 [4, 4, 4]", "1:1 2 [5, 5]"])
    }

    @Test("no burst has more answers than the kernel takes at once, and none is lost or doubled")
    func limit() {
        let answers = (0..<150).map { ([UInt8($0), 0], UInt16(1 + $0 % 2), 0) }
        let (bytes, bursts) = batch(answers).ordered(limit: 64)
        #expect(bursts.map { $0.range.count / $0.segment } == [64, 11, 64, 11])
        #expect(Set(stride(from: 0, to: bytes.count, by: 2).map { bytes[$0] }) == Set(0..<150))
        #expect(bursts.map(\.range.count).reduce(0, +) == bytes.count)
    }

    @Test("nothing to answer makes no burst")
    func empty() {
        #expect(AnswerBatch().ordered(limit: 64).bursts.isEmpty)
    }
}
