@_spi(Server) package import BenjiProtocol

/// The content of a phone's SIM tray in the sandbox: one card or two.
package enum SIMTray: String, Sendable, CaseIterable {
    case mobile, unicom, telecom
    /// Two cards: China Mobile in slot 1, China Unicom in slot 2. One of them carries data.
    case dual
    /// A carrier whose packet core sends this gateway no accounting.
    case unsupported
    /// A card for things: its number has thirteen digits and cannot log in.
    case iot

    /// The slots that a data switch can choose.
    package var slots: ClosedRange<Int> { self == .dual ? 1...2 : 1...1 }

    /// All cards, each of which gets messages.
    func cards(phone: Int) -> [SIMCard] { slots.map { card(phone: phone, dataSlot: $0) } }

    /// The card that carries data.
    ///
    /// - Parameters:
    ///   - phone: the phone's position, 1 to ``SandboxWorld/maximumPhones``: each phone has cards of its own.
    ///   - dataSlot: 1 or 2; counts with two cards only.
    package func card(phone: Int, dataSlot: Int) -> SIMCard {
        switch self {
        case .mobile: SIMCard(.mobile, number: "1380000001\(phone)", imsi: "46000000000001\(phone)")
        case .unicom: SIMCard(.unicom, number: "1300000002\(phone)", imsi: "46001000000002\(phone)")
        case .telecom: SIMCard(.telecom, number: "1330000003\(phone)", imsi: "46011000000003\(phone)")
        case .dual where dataSlot == 2: SIMCard(.unicom, number: "1310000004\(phone)", imsi: "46001000000004\(phone)")
        case .dual: SIMCard(.mobile, number: "1390000004\(phone)", imsi: "46000000000004\(phone)")
        // 192 is China Broadnet's range, and 15 its network.
        case .unsupported: SIMCard(nil, number: "1920000005\(phone)", imsi: "46015000000005\(phone)")
        // 10648 begins the numbers that China Mobile gives to things.
        case .iot: SIMCard(.mobile, number: "106480000006\(phone)", imsi: "46004000000006\(phone)")
        }
    }
}

/// A card, and whose packet core knows it.
package struct SIMCard: Hashable, Sendable {
    /// `nil` for a carrier that sends this gateway no accounting.
    package var carrier: Carrier?
    /// The number with its middle hidden.
    package var maskedNumber: String { number?.masked ?? "" }
    let number: PhoneNumber?
    let imsi: String

    init(_ carrier: Carrier?, number: String, imsi: String) {
        self.carrier = carrier
        self.number = PhoneNumber(number)
        self.imsi = imsi
    }

    var sim: VirtualSIM? {
        guard let carrier, let number else { return nil }
        return VirtualSIM(number: number, imsi: imsi, carrier: carrier)
    }
}
