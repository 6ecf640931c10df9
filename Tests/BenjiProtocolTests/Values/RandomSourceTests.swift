import BenjiProtocol
import Testing

@Suite struct RandomSourceTests {
    @Test("As many bytes come as were asked for, all of them drawn", arguments: [0, 1, 7, 8, 32, 255, 256, 257, 1000])
    func lengths(_ count: Int) {
        // A place that no call fills stays zero in all draws: at most once in 10^77 by chance.
        var touched = [Bool](repeating: false, count: count)
        for _ in 0..<32 {
            let bytes = SystemRandomSource().bytes(count)
            #expect(bytes.count == count)
            for place in bytes.indices where bytes[place] != 0 { touched[place] = true }
        }
        #expect(touched.allSatisfy { $0 })
    }

    @Test("No two draws are alike, and every value of a byte comes")
    func values() {
        let draws = (0..<1000).map { _ in SystemRandomSource().bytes(16) }
        #expect(Set(draws).count == draws.count)
        #expect(Set(draws.joined()).count == 256)
    }
}
