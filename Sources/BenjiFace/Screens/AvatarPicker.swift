#if canImport(UIKit)
import Foundation
import UIKit

/// Takes a picture, or lets the person choose one. The system's own picker runs outside of the app and asks for no
/// access to the album.
@MainActor final class AvatarPicker: NSObject, UIImagePickerControllerDelegate, UINavigationControllerDelegate {
    /// Where a picture can come from on this device.
    static var sources: [FaceProfileView.Source] {
        var sources: [FaceProfileView.Source] = []
        if UIImagePickerController.isSourceTypeAvailable(.camera) { sources.append(.camera) }
        if UIImagePickerController.isSourceTypeAvailable(.photoLibrary) { sources.append(.album) }
        return sources
    }

    private let source: FaceProfileView.Source
    private var done: (@MainActor (UIImage?) -> Void)?

    /// - Parameter done: called once; with `nil` when there is no picture.
    init(_ source: FaceProfileView.Source, done: @escaping @MainActor (UIImage?) -> Void) {
        self.source = source
        self.done = done
    }

    func show(from host: UIViewController) {
        let picker = UIImagePickerController()
        picker.sourceType = source == .camera ? .camera : .photoLibrary
        if source == .camera, UIImagePickerController.isCameraDeviceAvailable(.front) { picker.cameraDevice = .front }
        picker.delegate = self
        host.present(picker, animated: true, completion: nil)
    }

    func imagePickerController(
        _ picker: UIImagePickerController, didFinishPickingMediaWithInfo info: [UIImagePickerController.InfoKey: Any]
    ) {
        finish(picker, info[.originalImage] as? UIImage)
    }

    func imagePickerControllerDidCancel(_ picker: UIImagePickerController) { finish(picker, nil) }

    private func finish(_ picker: UIViewController, _ image: UIImage?) {
        picker.dismiss(animated: true) {
            self.done?(image)
            self.done = nil
        }
    }
}
#endif
