public import BenjiProtocol

/// An app's data about its user, and the data that it gets of an account's holder: the vendor's `userInfo`.
public struct FaceUserInfo: Hashable, Sendable {
    public var name: String?
    public var email: String?
    /// A URL; an account's own picture is a `data:` URL.
    public var avatar: String?
    /// The account's number, never one that an app has sent. On a phone it is the mask (`138****0001`), in the answer
    /// to the app's server the national form.
    public var phone: String?
    /// Whatever else an app wants to keep with its user: an object of at most ``maximumOther`` bytes.
    public var other: JSON?

    /// Bytes of an account's picture, as JPEG.
    public static let maximumAvatar = 96 * 1024
    public static let maximumOther = 4096

    public init(
        name: String? = nil, email: String? = nil, avatar: String? = nil, phone: String? = nil, other: JSON? = nil
    ) {
        self.name = name
        self.email = email
        self.avatar = avatar
        self.phone = phone
        self.other = other
    }

    public var json: JSON {
        .object([
            "name": name.map { .string($0) }, "email": email.map { .string($0) },
            "avatar": avatar.map { .string($0) }, "phone": phone.map { .string($0) }, "other": other,
        ])
    }

    /// - Parameter isRequest: whether unknown members are refused. Phones ignore them.
    public init(_ json: JSON, path: String, isRequest: Bool) throws(JSONError) {
        // A `data:` URL of the largest picture.
        let maximumURL = Self.maximumAvatar * 4 / 3 + 64
        var reader = try JSONObjectReader(json, path: path)
        name = try reader.optionalString("name", length: 0...256)
        email = try reader.optionalString("email", length: 0...254)
        avatar = try reader.optionalString("avatar", length: 0...maximumURL)
        phone = try reader.optionalString("phone", length: 0...32)
        other = reader.optional("other")
        if let other {
            guard case .object = other, other.serialized.count <= Self.maximumOther else {
                throw JSONError(
                    place: "\(path).other", problem: "must be an object of at most \(Self.maximumOther) bytes")
            }
        }
        if isRequest { try reader.finish() }
    }
}
