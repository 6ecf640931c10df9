import Testing

@testable import Endpoints

/// Both nodes have one second: the one that hangs, and the one that has to answer in time.
@Suite("A gateway and several nodes of one authority, of which one hangs", .serialized)
struct LinkNodesTimingTests {
    @Test(
        """
        when nobody knows whether a browser's request was met no other node is given it; an image comes from the next \
        one
        """
    )
    func unknownOutcomeOfBrowsers() async throws {
        try await LinkNodesTests().leaveOutcomeOfBrowsersUnknown(.hangs, timeout: .seconds(1))
    }

    @Test("when nobody knows whether a token was issued no other node is asked; what may be repeated is, and answered")
    func unknownOutcome() async throws {
        try await LinkNodesTests().leaveOutcomeUnknown(.hangs, timeout: .seconds(1))
    }
}
