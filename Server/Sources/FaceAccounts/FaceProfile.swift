import Authority
import BenjiFaceProtocol
import BenjiProtocol
import Foundation

/// The name of an account's holder, with an optional picture.
struct FaceProfile: Hashable, Sendable {
    static let purpose = "face-profile"

    var name: String
    /// JPEG without anything but the picture.
    var avatar: [UInt8]?

    /// The plaintext to seal.
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
            avatar = try reader.optionalString("avatar", length: 0...(FaceUserInfo.maximumAvatar * 2))
                .flatMap(Base64URL.decode)
        } catch { throw VaultError() }
    }

    /// As apps get it (RFC 2397).
    var avatarURL: String? { avatar.map { "data:image/jpeg;base64," + Data($0).base64EncodedString() } }
}

/// A picture that a person gives of themselves.
enum AvatarPicture {
    /// The picture without what its file says besides: where and with what it was taken, thumbnails, comments, further
    /// pictures. `nil` unless the file is a JPEG whose segments can be followed to the end of its picture (ITU-T T.81
    /// §B.1).
    static func plain(_ file: [UInt8]) -> [UInt8]? {
        guard file.count > 4, file[0] == 0xff, file[1] == 0xd8 else { return nil }
        var kept: [UInt8] = [0xff, 0xd8]
        var position = 2
        var hasPixels = false
        while position + 2 <= file.count {
            guard file[position] == 0xff else { return nil }
            let marker = file[position + 1]
            // Any marker may be preceded by fill (§B.1.1.2).
            if marker == 0xff {
                position += 1
                continue
            }
            // Whatever follows is another picture, or none.
            if marker == 0xd9 { return hasPixels ? kept + [0xff, 0xd9] : nil }
            guard position + 4 <= file.count else { return nil }
            let length = Int(file[position + 2]) << 8 | Int(file[position + 3])
            let end = position + 2 + length
            guard length >= 2, end <= file.count else { return nil }
            let segment = file[position..<end]
            position = end
            switch marker {
            case 0xda:
                let pixels = file[end..<endOfPixels(file, from: end)]
                kept += segment + pixels
                position = pixels.endIndex
                hasPixels = true
            // Tables, the frame's size, restart interval.
            case 0xdb, 0xc4, 0xc0, 0xc1, 0xc2, 0xdd: kept += segment
            // Adobe's segment changes how colours are read; it is no longer than this (Adobe Technical Note #5116 §18).
            case 0xee where length == 14 && segment.dropFirst(4).starts(with: "Adobe".utf8): kept += segment
            // Application data and comments.
            case 0xe0...0xef, 0xfe: break
            default: return nil
            }
        }
        return nil
    }

    /// Where the next marker stands after a scan: there 0xff is followed by neither 0 nor a restart (§B.1.1.5).
    private static func endOfPixels(_ file: [UInt8], from start: Int) -> Int {
        var position = start
        while position + 1 < file.count {
            if file[position] == 0xff, file[position + 1] != 0, !(0xd0...0xd7).contains(file[position + 1]) { break }
            position += 1
        }
        return position
    }
}
