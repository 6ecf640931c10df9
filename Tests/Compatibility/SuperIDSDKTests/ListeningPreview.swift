#if canImport(UIKit)
import SuperIDSDK
import UIKit

/// A preview that keeps the prompts that were shown over it.
@MainActor final class ListeningPreview: SIDCameraPreviewView {
    private(set) var told: Set<String> = []

    /// Called for each prompt, when its text is there.
    override func bringSubviewToFront(_ view: UIView) {
        super.bringSubviewToFront(view)
        if let text = (view as? UILabel)?.text { told.insert(text) }
    }
}
#endif
