import CFaceEngine

/// Why a picture gave no answer. Two are equal when their codes are, so that a test can name what it expects.
package struct FaceError: Error, Sendable, CustomStringConvertible {
    package struct Code: RawRepresentable, Hashable, Sendable {
        package var rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        /// There are no models, or they cannot be used: face is not available here, everything else is.
        package static let unavailable = Code(rawValue: "unavailable")
        /// More pictures wait than may. Try again later.
        package static let busy = Code(rawValue: "busy")
        package static let imageEmpty = Code(rawValue: "image empty")
        package static let imageTooManyBytes = Code(rawValue: "image too many bytes")
        /// Neither JPEG nor PNG.
        package static let imageUnknownFormat = Code(rawValue: "image unknown format")
        /// A form of JPEG or PNG that no camera sends: CMYK, 16 bits, animated, interlaced.
        package static let imageUnsupported = Code(rawValue: "image unsupported")
        package static let imageTooManyPixels = Code(rawValue: "image too many pixels")
        package static let imageTooSmall = Code(rawValue: "image too small")
        package static let imageTooManyScans = Code(rawValue: "image too many scans")
        /// Cut off, or in some other way not what its format asks for.
        package static let imageDamaged = Code(rawValue: "image damaged")
        package static let noFace = Code(rawValue: "no face")
        /// Several faces of which none is clearly in front.
        package static let severalFaces = Code(rawValue: "several faces")
        /// The face is upright only when the picture is turned by a quarter or by half.
        package static let imageTurned = Code(rawValue: "image turned")
        /// There are faces, and none in the ring: ``FaceFraming/ring``.
        package static let faceOutside = Code(rawValue: "face outside")
        /// A part of the face is covered or outside of the picture, so it is not compared: ``FaceFlaw/hides``.
        package static let faceHidden = Code(rawValue: "face hidden")
        /// The picture is one that no login compares, though all of the face is seen.
        package static let faceFlawed = Code(rawValue: "face flawed")
        package static let outOfMemory = Code(rawValue: "out of memory")
        /// A defect of ours or of a library.
        package static let failed = Code(rawValue: "failed")
    }

    package var code: Code
    /// The cause for the log, without anything of the picture.
    package var detail: String

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    package var description: String { "\(code.rawValue): \(detail)" }
}

extension FaceError: Equatable {
    package static func == (left: FaceError, right: FaceError) -> Bool { left.code == right.code }
}

extension FaceError {
    /// Runs a function of the engine and throws what it reports.
    static func check(_ body: (UnsafeMutablePointer<face_message>) -> face_status) throws(FaceError) {
        var message = face_message()
        let status = body(&message)
        guard status != FACE_OK else { return }
        let text = withUnsafeBytes(of: message.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        throw FaceError(Code(status), text)
    }
}

extension FaceError.Code {
    init(_ status: face_status) {
        self =
            switch status {
            case FACE_IMAGE_EMPTY: .imageEmpty
            case FACE_IMAGE_TOO_MANY_BYTES: .imageTooManyBytes
            case FACE_IMAGE_UNKNOWN_FORMAT: .imageUnknownFormat
            case FACE_IMAGE_UNSUPPORTED: .imageUnsupported
            case FACE_IMAGE_TOO_MANY_PIXELS: .imageTooManyPixels
            case FACE_IMAGE_TOO_SMALL: .imageTooSmall
            case FACE_IMAGE_TOO_MANY_SCANS: .imageTooManyScans
            case FACE_IMAGE_DAMAGED: .imageDamaged
            case FACE_NO_MEMORY: .outOfMemory
            case FACE_MODEL_UNUSABLE: .unavailable
            default: .failed
            }
    }
}
