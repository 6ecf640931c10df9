@_spi(Server) package import BenjiProtocol

extension TraceID {
    /// A new name whose rows lie in the order of their logins (decision 37): 48 bits of the time in milliseconds, 80
    /// random ones.
    package init(at moment: Timestamp, random: some RandomSource) {
        let time = UInt64(clamping: moment.milliseconds)
        let order = stride(from: 40, through: 0, by: -8).map { UInt8(truncatingIfNeeded: time >> UInt64($0)) }
        self.init(rawValue: Hexadecimal.encode(order + random.bytes(10)))!
    }
}
