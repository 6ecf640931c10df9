import BenjiProtocol
import Testing

@testable import OneTapShell

@Suite struct PrefetchPaceTests {
    @Test("A prefetch is repeated when it has ended, and not at once when it never was valid")
    func success() {
        var pace = PrefetchPace()
        #expect(pace.pause(after: .success, validFor: .seconds(595)) == .seconds(595))
        #expect(pace.pause(after: .success, validFor: .zero) == .seconds(5))
    }

    @Test("Failures in a row are asked again later and later, at most every ten minutes; a success begins anew")
    func failures() {
        var pace = PrefetchPace()
        let pauses = (0..<12).map { _ in pace.pause(after: .cellularDataOff, validFor: .zero) }
        #expect(pauses.prefix(4) == [.seconds(5), .seconds(10), .seconds(20), .seconds(40)])
        #expect(pauses.last == .seconds(600))
        _ = pace.pause(after: .success, validFor: .seconds(600))
        #expect(pace.pause(after: .timedOut, validFor: .zero) == .seconds(5))
    }

    @Test("What asking again cannot change is not asked again", arguments: [Situation.appUnknown, .notConfigured])
    func hopeless(_ situation: Situation) {
        var pace = PrefetchPace()
        #expect(pace.pause(after: situation, validFor: .zero) == nil)
    }
}
