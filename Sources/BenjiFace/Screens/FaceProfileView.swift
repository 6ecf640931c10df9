#if canImport(UIKit)
import BenjiFaceProtocol
import BenjiFaceTexts
import BenjiPage
@_spi(Server) import BenjiProtocol
import UIKit

/// Asks for a name, and for a picture that may be left out.
@MainActor final class FaceProfileView: FaceScreenView {
    enum Source { case camera, album }

    private let field = UITextField(frame: .zero)
    private let portrait = UIImageView(image: nil)
    private let problem: UILabel
    private let language: Language
    private var avatar: [UInt8]?
    private let decided: @MainActor (FaceProfile) -> Void

    /// - Parameters:
    ///   - sources: from where a picture can come.
    ///   - choose: lets the person take or choose one.
    init(
        language: Language, look: FaceLook, sources: [Source],
        choose: @escaping @MainActor (Source) -> Void, decided: @escaping @MainActor (FaceProfile) -> Void
    ) {
        self.language = language
        self.decided = decided
        let font = look.font(16)
        problem = FaceStyle.label("", font, color: FaceStyle.bad)
        super.init(title: FaceSentence.profileTitle.text(in: language), look: look)
        add(FaceStyle.label(FaceSentence.profileHint.text(in: language), font, color: FaceStyle.quiet))
        field.placeholder = FaceSentence.name.text(in: language)
        field.accessibilityLabel = field.placeholder
        field.font = font
        field.textColor = FaceStyle.text
        field.borderStyle = .roundedRect
        add(field, height: 48)
        add(problem, gap: 4)
        portrait.contentMode = .scaleAspectFit
        portrait.isAccessibilityElement = false
        add(portrait, height: 120)
        for source in sources {
            let words: FaceSentence = source == .camera ? .takePicture : .fromAlbum
            add(FaceStyle.plain(words.text(in: language), font) { choose(source) }, height: FaceStyle.button, gap: 4)
        }
        add(
            button: look.primary(FaceSentence.next.text(in: language)) { [weak self] in self?.goOn() })
    }

    func show(_ image: UIImage) {
        guard let jpeg = Self.jpeg(of: image) else { return }
        avatar = jpeg
        portrait.image = image
        portrait.isAccessibilityElement = true
        portrait.accessibilityLabel = FaceSentence.portrait.text(in: language)
    }

    private func goOn() {
        let name = Self.trimmed(field.text ?? "")
        guard !name.isEmpty else {
            problem.text = FaceSentence.nameMissing.text(in: language)
            setNeedsLayout()
            UIAccessibility.post(notification: .announcement, argument: problem.text)
            return
        }
        decided(FaceProfile(name: name, avatar: avatar))
    }

    /// Without spaces around it and without what the server refuses, and of at most 64 bytes.
    static func trimmed(_ text: String) -> String {
        var name = TextGrammar.cleaned(text).drop { $0.isWhitespace }
        while name.last?.isWhitespace == true || name.utf8.count > 64 { name.removeLast() }
        // A joiner at which the name was cut joins nothing.
        return TextGrammar.cleaned(String(name))
    }

    /// A square of at most 256 points from the middle, small enough for the wire.
    private static func jpeg(of image: UIImage) -> [UInt8]? {
        let side = min(image.size.width, image.size.height)
        guard side > 0 else { return nil }
        let target = min(side, 256)
        let scale = target / side
        let format = UIGraphicsImageRendererFormat()
        format.scale = 1
        format.opaque = true
        let renderer = UIGraphicsImageRenderer(size: CGSize(width: target, height: target), format: format)
        let square = renderer.image { _ in
            image.draw(
                in: CGRect(
                    x: (target - image.size.width * scale) / 2, y: (target - image.size.height * scale) / 2,
                    width: image.size.width * scale, height: image.size.height * scale))
        }
        for quality in [0.8, 0.5, 0.2] {
            guard let data = square.jpegData(compressionQuality: quality) else { return nil }
            if data.count <= FaceUserInfo.maximumAvatar { return Array(data) }
        }
        return nil
    }
}
#endif
