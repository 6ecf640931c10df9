@_spi(Server) package import BenjiProtocol

/// The phones of a run by index: address, number and SIM, all made up.
///
/// Numbers are 137 0000 0000 upwards, which no public network of the sandbox has; addresses are those of the pool in
/// order.
package struct Population: Hashable, Sendable {
    /// Eight digits of a number are the index.
    package static let greatest = 10_000_000

    package let pool: IPPrefix
    package let count: Int

    /// `nil` if the pool is not IPv4 or has fewer than `count` addresses, first and last not counted.
    package init?(pool: IPPrefix, count: Int) {
        guard pool.address.family == .v4, (1...Self.greatest).contains(count), pool.length <= 30,
            count <= (1 << (32 - pool.length)) - 2
        else { return nil }
        self.pool = pool
        self.count = count
    }

    /// The address of a phone: the first of the pool has no phone.
    package func address(_ index: Int) -> InternetAddress {
        InternetAddress(v4Value: pool.address.v4Value + UInt32(index) + 1)
    }

    /// The number of a phone as people of the country write it.
    package func nationalNumber(_ index: Int) -> String { "137\(Self.digits(index, 8))" }

    /// The card's IMSI, fifteen digits.
    package func imsi(_ index: Int) -> String { "46000\(Self.digits(index, 10))" }

    /// The phone that has the number of an answer; `nil` for an unknown number.
    package func index(ofNationalNumber number: String) -> Int? {
        guard number.utf8.count == 11, number.hasPrefix("137"), let index = Int(number.dropFirst(3)), index >= 0,
            index < count
        else { return nil }
        return index
    }

    private static func digits(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
}
