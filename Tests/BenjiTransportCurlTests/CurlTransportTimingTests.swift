import BenjiClient
import Testing

@Suite("The time that the libcurl transport takes", .serialized)
struct CurlTransportTimingTests {
    @Test(
        "an exchange ends when the time given is over, neither earlier nor long after",
        arguments: [
            "", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe", "HTTP/1.1 200 OK\r\n\r\nhello",
        ])
    func timeOut(sent: String) async throws {
        let start = ContinuousClock.now
        let error = try await CurlTransportTests().failure(.stall(sent), timeout: .milliseconds(150))
        let taken = ContinuousClock.now - start
        #expect(error.code == .timedOut)
        #expect(taken >= .milliseconds(150))
        #expect(taken < .seconds(10))
    }
}
