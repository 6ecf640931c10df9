/// The output of smpplib 2.2.4 (Python) for these values, each with sequence number 7.
enum Vectors {
    static let bind = bytes(
        "0000002700000009000000000000000762656e6a69007365637265743038006f74700034000000")
    static let submit = bytes(
        "0000004e00000004000000000000000700050042656e6a6900010138363133383030313338303030000000000030303030303030"
            + "30303530303030305200010000000b436f646520313233343536")
    static let receipt = bytes(
        "000000ac000000050000000000000007000101383631333830303133383030300003003130363930000400000000000000006b69"
            + "643a30306131207375623a30303120646c7672643a303031207375626d697420646174653a3236313132353039303020646f6e65"
            + "20646174653a3236313132353039303120737461743a44454c49565244206572723a30303020746578743a436f64652031323334"
            + "35360427000102001e00053030613100")
    static let submitAnswer = bytes("000000158000000400000000000000073030613100")
    static let bindAnswer = bytes("0000001a800000090000000000000007534d5343000210000134")
    static let enquireLink = bytes("00000010000000150000000000000007")

    /// A PDU with the sequence number 7 if no other is given.
    static func pdu(_ command: UInt32, status: UInt32 = 0, sequence: UInt32 = 7, _ body: String = "") -> [UInt8] {
        let body = bytes(body)
        let header = [UInt32(16 + body.count), command, status, sequence]
        let octets = header.flatMap { word in
            [24, 16, 8, 0].map { (shift: UInt32) in UInt8(truncatingIfNeeded: word >> shift) }
        }
        return octets + body
    }

    static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = Array(hexadecimal)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...($0 + 1)]), radix: 16)! }
    }
}
