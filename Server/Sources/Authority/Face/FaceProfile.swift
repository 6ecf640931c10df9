internal import BenjiProtocol
internal import Foundation

/// What an account's holder is called, and a picture of them if they like.
struct FaceProfile: Hashable, Sendable {
    static let purpose = "face-profile"

    var name: String
    /// JPEG without anything but the picture.
    var avatar: [UInt8]?

    /// What is sealed.
    var bytes: [UInt8] {
        JSON.object(["name": .string(name), "avatar": avatar.map { .string(Base64URL.encode($0)) }]).serialized
    }

    init(name: String, avatar: [UInt8]?) {
        self.name = name
        self.avatar = avatar
    }

    init(_ bytes: [UInt8]) throws(VaultError) {
        do {
            var reader = try JSONObjectReader(try JSON(parsing: bytes))
            name = try reader.string("name", length: 1...64)
            avatar = try reader.optionalString("avatar", length: 0...(FaceUserInfo.greatestAvatar * 2))
                .flatMap(Base64URL.decode)
        } catch { throw VaultError() }
    }

    /// As apps get it (RFC 2397).
    var avatarURL: String? { avatar.map { "data:image/jpeg;base64," + Data($0).base64EncodedString() } }
}

/// A picture that a person gives of themselves.
enum AvatarPicture {
    /// The picture without what its file says besides: where and with what it was taken, thumbnails, comments. `nil` unless
    /// the file is a JPEG whose segments can be followed to its pixels.
    static func plain(_ file: [UInt8]) -> [UInt8]? {
        guard file.count > 4, file[0] == 0xff, file[1] == 0xd8, file.suffix(2) == [0xff, 0xd9] else { return nil }
        var kept: [UInt8] = [0xff, 0xd8]
        var position = 2
        while position + 4 <= file.count {
            guard file[position] == 0xff else { return nil }
            let marker = file[position + 1]
            let length = Int(file[position + 2]) << 8 | Int(file[position + 3])
            guard length >= 2, position + 2 + length <= file.count else { return nil }
            switch marker {
            // Start of scan: pixels follow to the end.
            case 0xda: return kept + file[position...]
            // Tables, the frame's size, restart interval. The colours of Adobe's segment change how pixels are read.
            case 0xdb, 0xc4, 0xc0, 0xc1, 0xc2, 0xdd, 0xee: kept += file[position..<position + 2 + length]
            // Application data and comments.
            case 0xe0...0xef, 0xfe: break
            default: return nil
            }
            position += 2 + length
        }
        return nil
    }
}
