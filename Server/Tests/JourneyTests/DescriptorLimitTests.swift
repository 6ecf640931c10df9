import Testing

@testable import BenjiCommand
@testable import ServerRuntime

@Suite("Descriptors of the process")
struct DescriptorLimitTests {
    @Test("connections get what the database and the journal leave, and never more than was asked for")
    func connections() {
        func fitted(_ wanted: Int, _ descriptors: Int) -> Int {
            DescriptorLimit.connections(wanted: wanted, listeners: 3, descriptors: descriptors)
        }
        #expect(fitted(16384, 1024) == 256)
        #expect(fitted(16384, 65536) == 16384)
        #expect(fitted(100, 1024) == 100)
        // A limit that is absurdly low must not turn everybody away.
        #expect(fitted(16384, 64) == 16)
        for descriptors in stride(from: 400, to: 70_000, by: 997) {
            #expect(fitted(16384, descriptors) * 3 + DescriptorLimit.reserved <= descriptors)
        }
    }
}
