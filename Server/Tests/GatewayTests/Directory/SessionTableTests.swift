import Testing

@testable import Gateway

struct SessionTableTests {
    private func session(_ generator: inout SeededGenerator) -> Session {
        func any<Number: FixedWidthInteger>(_ usual: ClosedRange<Number>) -> Number {
            // Mostly what a network says, often its edge, sometimes anything.
            switch Int.random(in: 0..<10, using: &generator) {
            case 0: .random(in: .min ... .max, using: &generator)
            case 1: [0, .min, .max, usual.upperBound].randomElement(using: &generator)!
            default: .random(in: usual, using: &generator)
            }
        }
        var session = Session.free
        session.key = SessionKey(a: any(1...UInt32.max) | 1, b: any(0...UInt32.max), c: any(0...UInt32.max))
        session.subscription = any(1...100_000_000)
        session.binding = any(1 << 59...1 << 59 + 1 << 41)
        session.prefix = any(0x2001_0db8_0000_0000...0x2001_0db8_ffff_ffff)
        session.epoch = any(1...40)
        session.simGeneration = any(1...4095)
        session.address = any(10 << 24...11 << 24)
        session.publicAddress = Bool.random(using: &generator) ? 0 : any(100 << 24...101 << 24)
        session.heardAt = any(1_760_000_000...1_770_000_000)
        session.startedAt = session.heardAt &+ 1 &- any(0...20_000_000)
        session.identity = any(0...UInt32.max)
        session.doubtedAt = Int.random(in: 0..<8, using: &generator) == 0 ? any(0...1_770_000_000) : 0
        session.scope = any(0...UInt16.max)
        session.prefixLength = any(0...64)
        session.flags = Session.Flags(rawValue: .random(in: 0...255, using: &generator))
            .intersection([.roaming, .unsupported, .contested, .suspended, .unsaved])
        return session
    }

    @Test(
        """
        against an array: whatever a session's values are, the table gives them back, and nothing of the last one at \
        its index
        """
    )
    func againstArray() {
        var generator = SeededGenerator(seed: 52)
        var table = SessionTable()
        var sessions: [Int: Session] = [:]
        for _ in 0..<20_000 {
            switch Int.random(in: 0..<4, using: &generator) {
            case 0:
                let session = session(&generator)
                let index = table.insert(session)
                #expect(sessions[index] == nil)
                sessions[index] = session
            case 1:
                guard let index = sessions.keys.randomElement(using: &generator) else { continue }
                table.remove(at: index)
                sessions[index] = nil
                #expect(table.isFree(index) && table[index] == .free)
            case 2:
                guard let index = sessions.keys.randomElement(using: &generator) else { continue }
                sessions[index] = session(&generator)
                table[index] = sessions[index]!
            default:
                guard let index = sessions.keys.randomElement(using: &generator) else { continue }
                // In place, a field as the directory does.
                table[index].doubtedAt = 7
                table[index].binding &+= 1
                table[index].flags.insert(.contested)
                sessions[index]!.doubtedAt = 7
                sessions[index]!.binding &+= 1
                sessions[index]!.flags.insert(.contested)
            }
            #expect(table.count == sessions.count)
        }
        for (index, session) in sessions {
            #expect(table[index] == session)
            #expect(table.key(index) == session.key && table.address(index) == session.address)
            #expect(table.scope(index) == session.scope && !table.isFree(index))
            #expect(table.startedAt(index) == session.startedAt)
        }
    }

    @Test("a number whose upper bits find no room any more is kept whole")
    func upperBits() {
        var table = SessionTable()
        let sessions = (0..<600).map { index in
            var session = Session.free
            session.key = SessionKey(a: UInt32(index) | 1, b: UInt32(index), c: 0)
            session.binding = Int64(index) << 40 | 5
            return session
        }
        for session in sessions { _ = table.insert(session) }
        for (index, session) in sessions.enumerated() { #expect(table[index] == session) }
    }

    @Test("sessions that end leave nothing beside")
    func nothingBeside() {
        var table = SessionTable()
        let before = table.memory
        var session = Session.free
        session.key = SessionKey(a: 1, b: 2, c: 3)
        (session.doubtedAt, session.publicAddress, session.epoch) = (1, 2, .max)
        let index = table.insert(session)
        table.remove(at: index)
        session.epoch = 1
        (session.doubtedAt, session.publicAddress) = (0, 0)
        #expect(table.insert(session) == index)
        #expect(table[index] == session)
        #expect(table.memory < before + 10_000)
    }
}
