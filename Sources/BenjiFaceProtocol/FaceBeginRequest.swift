public import BenjiProtocol

/// The purpose of a face session.
public enum FacePurpose: String, Hashable, Sendable, CaseIterable {
    /// Logging in; enrols and authorises on the way where that has not happened yet.
    case login
    /// Tying the app's own user to the account: ``login`` with a uid that the app names.
    case bind
    /// Reading the attributes of the face in front of the camera (the vendor's 表情 feature).
    case attributes
    /// Comparing once more, for an app that wants to be sure (the vendor's later face verification).
    case verify

    /// Whether it ends in a login.
    public var isLogin: Bool { self == .login || self == .bind }
}

/// The expected person. Only ``FaceSearchBeginRequest`` names none, and its result is no login.
public enum FaceIdentity: Hashable, Sendable {
    /// The holder of a number: a one-tap login token, which this spends.
    case oneTap(String)
    /// The account that this install remembers.
    case remembered(String)
    /// The account that has authorised the app.
    case access(String)
}

/// Begins a face session.
public struct FaceBeginRequest: Hashable, Sendable {
    public var appToken: String
    public var purpose: FacePurpose
    public var identity: FaceIdentity
    /// The app's own user; ``FacePurpose/bind`` needs one, the others have none.
    public var uid: String?
    /// A number that the app says it is. Refused when it is no mobile number of mainland China, or not the account's.
    public var phone: String?
    /// BCP 47: the language of the terms that are answered.
    public var language: String

    public init(
        appToken: String, purpose: FacePurpose, identity: FaceIdentity, uid: String? = nil, phone: String? = nil,
        language: String
    ) {
        self.appToken = appToken
        self.purpose = purpose
        self.identity = identity
        self.uid = uid
        self.phone = phone
        self.language = language
    }

    public var json: JSON {
        var (token, remembered, access): (JSON?, JSON?, JSON?)
        switch identity {
        case .oneTap(let text): token = .string(text)
        case .remembered(let text): remembered = .string(text)
        case .access(let text): access = .string(text)
        }
        return .object([
            "appToken": .string(appToken), "purpose": .string(purpose.rawValue), "token": token,
            "remembered": remembered, "accessToken": access, "uid": uid.map { .string($0) },
            "phone": phone.map { .string($0) }, "language": .string(language),
        ])
    }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        appToken = try reader.credential("appToken", .faceAppToken, "an app token")
        purpose = try reader.value("purpose", "must be login, bind, attributes or verify", FacePurpose.init(rawValue:))
        let named: [FaceIdentity?] = [
            try reader.optionalCredential("token", .token, "a token").map(FaceIdentity.oneTap),
            try reader.optionalCredential("remembered", .faceRemembered, "a remembered account")
                .map(FaceIdentity.remembered),
            try reader.optionalCredential("accessToken", .faceAccess, "an access token").map(FaceIdentity.access),
        ]
        let identities = named.compactMap { $0 }
        guard let identity = identities.first, identities.count == 1 else {
            throw JSONError(place: "$", problem: "must hold one of token, remembered and accessToken")
        }
        self.identity = identity
        uid = try reader.optionalString("uid", length: FaceUID.length)
        phone = try reader.optionalString("phone", length: 1...32)
        language = try reader.string("language", length: 2...35)
        try reader.finish()
    }
}

/// An app's own name for one of its users.
public enum FaceUID {
    /// Bytes of UTF-8.
    public static let length = 1...128
}
