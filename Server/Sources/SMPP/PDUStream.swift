/// Cuts a stream into PDUs, however it arrives.
package struct PDUStream: Sendable {
    private var bytes: [UInt8] = []

    package init() {}

    package mutating func append(_ more: some Sequence<UInt8>) { bytes += more }

    /// The octets of the next PDU; `nil` if more must arrive first. After an error nothing that follows can be read.
    package mutating func next() throws(PDUError) -> [UInt8]? {
        // Checks the length as soon as it is there: a bad one does not wait for twelve more octets.
        guard bytes.count >= 4 else { return nil }
        let length = bytes[..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard (UInt32(PDU.headerLength)...UInt32(PDU.maximumLength)).contains(length) else {
            throw PDUError(.length, offset: 0)
        }
        guard bytes.count >= Int(length) else { return nil }
        defer { bytes.removeFirst(Int(length)) }
        return Array(bytes[..<Int(length)])
    }
}
