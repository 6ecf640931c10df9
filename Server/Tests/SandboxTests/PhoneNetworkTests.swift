@_spi(Server) import BenjiProtocol
import Testing

@testable import Sandbox

@Suite("How a phone's traffic leaves")
struct PhoneNetworkTests {
    let carrier = InternetAddress("127.11.1.1")!

    @Test("what leaves by mobile data leaves by the carrier's address, and nothing else does")
    func addresses() {
        for network in PhoneNetwork.allCases {
            for program in [PhoneNetwork.Program.browser, .app] {
                let source = network.way(of: program, cellular: carrier, phone: 3)?.source
                let isCarriers = source == carrier
                let expected: Bool =
                    switch (network, program) {
                    case (.cellular, _), (.weak, _), (.both, .app): true
                    default: false
                    }
                #expect(isCarriers == expected, "\(network) \(program)")
            }
        }
    }

    @Test("with mobile data off an app that asks for it gets nothing")
    func off() {
        #expect(PhoneNetwork.wifi.way(of: .app, cellular: carrier, phone: 1) == nil)
        #expect(PhoneNetwork.cellular.way(of: .browser, cellular: nil, phone: 1) == nil)
    }

    @Test("no two phones share an address elsewhere")
    func apart() {
        let all = (1...SandboxWorld.maximumPhones).flatMap { PhoneNetwork.addressesElsewhere(phone: $0) }
        #expect(Set(all).count == all.count)
        #expect(all.count == 3 * SandboxWorld.maximumPhones)
    }

    @Test("only a weak network is slow and loses something")
    func weak() {
        for network in PhoneNetwork.allCases {
            let way = network.way(of: .browser, cellular: carrier, phone: 1)
            #expect(((way?.delay ?? .zero) > .zero) == (network == .weak))
            #expect(((way?.lossPercent ?? 0) > 0) == (network == .weak))
        }
    }

    @Test("every card of every phone has a number and an IMSI of its own, and an IMSI is fifteen digits")
    func cards() {
        let cards = (1...SandboxWorld.maximumPhones).flatMap { position in
            SIMTray.allCases.flatMap { tray in
                tray.slots.map { tray.card(phone: position, dataSlot: $0) }
            }
        }
        #expect(Set(cards.map(\.imsi)).count == cards.count)
        #expect(Set(cards.map(\.number)).count == cards.count)
        for card in cards {
            #expect(card.imsi.count == 15)
            #expect(card.number != nil)
        }
    }

    @Test("a thing's number cannot log in, and a carrier that is not heard has no SIM for a packet core of ours")
    func odd() {
        #expect(SIMTray.iot.card(phone: 1, dataSlot: 1).number?.isMainlandMobile == false)
        #expect(SIMTray.unsupported.card(phone: 1, dataSlot: 1).sim == nil)
        #expect(SIMTray.dual.card(phone: 1, dataSlot: 1).carrier == .mobile)
        #expect(SIMTray.dual.card(phone: 1, dataSlot: 2).carrier == .unicom)
    }
}
