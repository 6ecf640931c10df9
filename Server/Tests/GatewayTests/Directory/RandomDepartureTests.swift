@_spi(Server) import BenjiProtocol
import RADIUS
import ServerTestKit
import Sightings
import Testing

@testable import Gateway

/// Honest histories of two addresses, whose packets come late, are refused or are lost, against a model that keeps all
/// of them.
struct RandomDepartureTests {
    private struct Told: CustomStringConvertible {
        var status: AccountingStatus
        var nas: Int
        var session = 0
        var address: Int?
        /// The last digit of the subscriber's number, where the packet names it.
        var number: Int?
        var time: Int64
        var arrival: Int64
        var isRefused = false

        var gives: Bool { status == .start || status == .interimUpdate }
        var evidence: Bool { gives && !isRefused }

        func isSession(of other: Told) -> Bool { session != 0 && (nas, session) == (other.nas, other.session) }

        var description: String {
            "\(status.rawValue) \(nas).\(session) address \(address ?? 0) number \(number ?? 0) at \(time), came "
                + "\(arrival)"
                + (isRefused ? ", refused" : "")
        }
    }

    private static func history(_ generator: inout SeededGenerator) -> [Told] {
        var live: [(nas: Int, session: Int, address: Int, number: Int)] = []
        var history: [Told] = []
        var time: Int64 = 0
        for _ in 0..<Int.random(in: 4...16, using: &generator) {
            time += [0, 0, 1, 2, 5, 15].randomElement(using: &generator)!
            let nas = Int.random(in: 1...2, using: &generator)
            let isBrief = Int.random(in: 0..<5, using: &generator) == 0
            var told = Told(status: .interimUpdate, nas: nas, time: time, arrival: time)
            let choice = Int.random(in: 0..<18, using: &generator)
            let free = [1, 2].filter { address in !live.contains { $0.address == address } }
                .randomElement(using: &generator)
            let place = live.indices.randomElement(using: &generator)
            if choice < 7 {
                let ids = [1, 2].filter { id in !live.contains { ($0.nas, $0.session) == (nas, id) } }
                let numbers = (1...3).filter { number in !live.contains { $0.number == number } }
                guard let free, let id = ids.randomElement(using: &generator),
                    let number = numbers.randomElement(using: &generator)
                else { continue }
                live.append((nas, id, free, number))
                (told.status, told.session, told.address, told.number) = (.start, id, free, number)
            } else if choice < 17, let place {
                let isMove = choice == 12 && free != nil
                if isMove, let free { live[place].address = free }
                let one = live[place]
                (told.nas, told.session) = (one.nas, one.session)
                if isMove || !isBrief { told.address = one.address }
                if choice > 12 {
                    told.status = .stop
                    live.remove(at: place)
                } else if Int.random(in: 0..<5, using: &generator) > 0 {
                    told.number = one.number
                }
            } else if choice == 17 {
                live.removeAll { $0.nas == nas }
                told.status = Bool.random(using: &generator) ? .accountingOn : .accountingOff
            } else {
                continue
            }
            if Bool.random(using: &generator) { told.arrival += .random(in: 0...25, using: &generator) }
            // A refused reset affects no session that was heard of later, so resets are not refused here.
            told.isRefused = told.session != 0 && Int.random(in: 0..<15, using: &generator) == 0
            if Int.random(in: 0..<5, using: &generator) > 0 { history.append(told) }
        }
        return history.enumerated().sorted { ($0.element.arrival, $0.offset) < ($1.element.arrival, $1.offset) }
            .map(\.element)
    }

    /// Whether a subscriber may hold an address after the packets so far. One packet of a session names the address and
    /// one names the subscriber. No later packet ends the session, or gives it or the address to another subscriber.
    private static func mayHold(_ number: Int, _ address: Int, _ heard: [Told]) -> Bool {
        heard.contains { place in
            place.evidence && place.address == address
                && heard.contains { name in
                    name.evidence && name.number == number && name.isSession(of: place)
                        && !hasEnded(number, since: min(place.time, name.time), named: name, heard)
                        && !hasLeft(address, place, heard)
                }
        }
    }

    private static func hasEnded(_ number: Int, since time: Int64, named: Told, _ heard: [Told]) -> Bool {
        heard.contains { told in
            switch told.status {
            case .accountingOn: told.nas == named.nas && told.time > time
            case .accountingOff: told.nas == named.nas && told.time >= time
            case .stop: told.isSession(of: named) && told.time >= time
            default: told.isSession(of: named) && told.number.map { $0 != number } ?? false && told.time > named.time
            }
        }
    }

    private static func hasLeft(_ address: Int, _ place: Told, _ heard: [Told]) -> Bool {
        // A Start of the same second came after what others said of the address.
        let began = heard.contains { $0.isSession(of: place) && $0.status == .start && $0.time == place.time }
        return heard.contains { told in
            let isLater = told.time > place.time
            if told.isSession(of: place) {
                guard told.gives, let other = told.address, other != address else { return false }
                // In one second the one that came last counts, if it came in that second.
                return isLater
                    || told.time == place.time && told.evidence && !began && told.status != .start
                        && place.arrival > place.time + 1
            }
            guard told.address == address else { return false }
            return isLater || told.time == place.time && told.status == .stop && !began && place.arrival > told.arrival
        }
    }

    @Test("In 300 random histories nobody is named of whom a packet, however late or refused, shows that he has left")
    func nobodyWhoHasLeft() async throws {
        let seed: UInt64 = 2869
        var generator = SeededGenerator(seed: seed)
        var named = 0
        for round in 0..<300 {
            let network = try Network()
            let history = Self.history(&generator)
            var heard: [Told] = []
            for told in history {
                network.clock.set(by: .seconds(Network.start + told.arrival - network.clock.now.seconds))
                var request = network.request(
                    told.status, told.session == 0 ? "" : "s\(told.session)", at: told.time,
                    address: told.address.map { "10.0.0.\($0)" }, number: told.number.map { "861380000000\($0)" },
                    nas: "pgw-\(told.nas)")
                if told.isRefused { request.framedPrefix = IPPrefix("2001:db9::/64")! }
                #expect(try await network.send(request) == (told.isRefused ? 0 : 1))
                heard.append(told)
                for address in 1...2 {
                    guard case .success(let row) = network.holder("10.0.0.\(address)") else { continue }
                    named += 1
                    let number = (1...3).first { network.register.row("861380000000\($0)") == row }
                    #expect(
                        number.map { Self.mayHold($0, address, heard) } ?? false,
                        """
                        seed \(seed), round \(round), address \(address): \
                        \(heard.map { "\($0)" }.joined(separator: "\n"))
                        """
                    )
                }
            }
        }
        #expect(named > 800)
    }
}
