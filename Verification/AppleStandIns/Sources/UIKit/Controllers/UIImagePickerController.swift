public import Foundation

@MainActor public protocol UINavigationControllerDelegate: NSObjectProtocol {}

@MainActor public protocol UIImagePickerControllerDelegate: NSObjectProtocol {
    func imagePickerController(
        _ picker: UIImagePickerController, didFinishPickingMediaWithInfo info: [UIImagePickerController.InfoKey: Any])
    func imagePickerControllerDidCancel(_ picker: UIImagePickerController)
}

extension UIImagePickerControllerDelegate {
    public func imagePickerController(
        _ picker: UIImagePickerController, didFinishPickingMediaWithInfo info: [UIImagePickerController.InfoKey: Any]
    ) {}
    public func imagePickerControllerDidCancel(_ picker: UIImagePickerController) {}
}

/// Takes or chooses a picture.
@MainActor open class UIImagePickerController: UINavigationController {
    public enum SourceType: Int, Sendable { case photoLibrary, camera, savedPhotosAlbum }
    public enum CameraDevice: Int, Sendable { case rear, front }
    public struct InfoKey: Hashable, Sendable, RawRepresentable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let originalImage = InfoKey(rawValue: "UIImagePickerControllerOriginalImage")
        public static let editedImage = InfoKey(rawValue: "UIImagePickerControllerEditedImage")
    }

    /// Test hook: what there is.
    public static var standInSources: Set<SourceType> = [.photoLibrary, .camera]

    open class func isSourceTypeAvailable(_ type: SourceType) -> Bool { standInSources.contains(type) }
    open class func isCameraDeviceAvailable(_ device: CameraDevice) -> Bool { standInSources.contains(.camera) }

    open weak var delegate: (any UINavigationControllerDelegate & UIImagePickerControllerDelegate)?
    open var sourceType = SourceType.photoLibrary
    open var cameraDevice = CameraDevice.rear
    open var allowsEditing = false

    public init() { super.init(nibName: nil, bundle: nil) }

    public required init?(coder: NSCoder) { fatalError("the stand-in has no archives") }

    /// Test hook: the person takes or chooses this.
    public func standInPick(_ image: UIImage) {
        delegate?.imagePickerController(self, didFinishPickingMediaWithInfo: [.originalImage: image])
    }

    /// Test hook: the person leaves without a picture.
    public func standInCancel() { delegate?.imagePickerControllerDidCancel(self) }
}
