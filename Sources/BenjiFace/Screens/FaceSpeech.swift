#if canImport(UIKit)
import BenjiFaceProtocol
import BenjiFaceTexts
import BenjiPage
import BenjiProtocol
import UIKit

/// Lets VoiceOver say what a person should do, each sentence once while it stands.
@MainActor struct FaceSpeech {
    private var said: [FaceSentence] = []

    /// - Returns: whether there is something else to say than before.
    mutating func say(_ sentences: [FaceSentence], in language: Language) -> Bool {
        guard sentences != said else { return false }
        let fresh = sentences.filter { !said.contains($0) }
        said = sentences
        if !fresh.isEmpty {
            UIAccessibility.post(
                notification: .announcement,
                argument: fresh.map { $0.text(in: language) }.joined(separator: language == .english ? ". " : "，"))
        }
        return true
    }
}

extension FaceProgress {
    /// The instruction, and the obstacle if there is one.
    var sentences: [FaceSentence] {
        [FaceSentence(rawValue: prompt) ?? .placeFace] + (hint.flatMap(FaceSentence.init(rawValue:)).map { [$0] } ?? [])
    }
}
#endif
