import BenjiClient
import Testing

@Suite("A transport error")
struct TransportErrorTests {
    @Test("two errors are equal when their codes are, wherever they happened")
    func equality() {
        #expect(TransportError(.timedOut, at: "a", "b") == TransportError(.timedOut, at: "c", "d"))
        #expect(TransportError(.timedOut, at: "a", "b") != TransportError(.cancelled, at: "a", "b"))
    }

    @Test("the description says what, where and why")
    func description() {
        let error = TransportError(.tlsFailed, at: "https://a", "the certificate has expired")
        #expect("\(error)" == "tlsFailed at https://a: the certificate has expired")
    }

    @Test("the set of codes is open: a code made elsewhere compares by its name")
    func openSet() {
        #expect(TransportError.Code(rawValue: "timedOut") == .timedOut)
        #expect(TransportError.Code(rawValue: "other") != .timedOut)
    }
}
