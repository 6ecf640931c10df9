@_spi(Server) import BenjiProtocol
import Store
import Testing

@testable import Requests

@Suite("The authority's no")
struct RefusalTests {
    @Test(
        "of a store's failures only those that pass are told as passing",
        arguments: [
            (StoreError.Code.unavailable, Situation.storeUnavailable, "the store did not answer"),
            (.keyChanged, .storeUnavailable, "the store did not answer"),
            (
                .keyNotAtHand, .storeUnavailable,
                "the database's master key is not at hand; the server's log says why"
            ),
            (.alreadyExists, .internalError, "the store did not answer"),
            (.notFound, .internalError, "the store did not answer"),
            (.outdated, .internalError, "the store did not answer"),
            (.gatewayReplaced, .internalError, "the store did not answer"),
            (.corrupt, .internalError, "the store did not answer"),
        ])
    func stores(code: StoreError.Code, situation: Situation, detail: String) {
        #expect(Refusal(StoreError(code, "a secret")) == Refusal(situation, detail))
    }

    @Test("a refusal says nothing that it was not told")
    func nothingSaid() throws {
        let bare = Refusal(.codeWrong, "why")
        #expect(bare.situation == .codeWrong && bare.detail == "why" && !bare.smsLogin && !bare.isAppOutdated)
        #expect(bare.trace == nil && bare.carrier == nil && bare.serverTime == nil && bare.since == nil)
        let trace = try #require(TraceID(rawValue: String(repeating: "a", count: 32)))
        #expect(Refusal.keyNotAtHand(trace: trace).trace == trace && Refusal.keyNotAtHand().trace == nil)
    }
}
