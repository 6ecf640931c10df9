@_spi(Server) package import BenjiProtocol

/// A SIM card of the sandbox: the number, the card's identity, and the carrier that issued it.
///
/// The numbers are made up; the sandbox's carriers have no subscribers but these.
package struct VirtualSIM: Hashable, Sendable {
    package var number: PhoneNumber
    /// Fifteen digits; the first five are the carrier's MCC and MNC.
    package var imsi: String
    package var carrier: Carrier

    package init(number: PhoneNumber, imsi: String, carrier: Carrier) {
        self.number = number
        self.imsi = imsi
        self.carrier = carrier
    }

    /// One card a carrier. 460 is China; 00, 01 and 11 are networks of the three carriers (ITU-T E.212).
    package static let demonstration: [VirtualSIM] = [
        (.mobile, "13800000001", "460000000000001"), (.unicom, "13000000002", "460010000000002"),
        (.telecom, "13300000003", "460110000000003"),
    ].compactMap { carrier, number, imsi in
        PhoneNumber(number).map { VirtualSIM(number: $0, imsi: imsi, carrier: carrier) }
    }
}
