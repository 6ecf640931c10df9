@_spi(Server) public import BenjiProtocol

// swift-format-ignore: AvoidRetroactiveConformances
/// In an order a number is a text in international form, `+8613800000001`, or as people write it.
extension PhoneNumber: @retroactive Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let number = PhoneNumber(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "must be a mobile number, such as +8613800000001")
        }
        self = number
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("+" + e164)
    }
}
