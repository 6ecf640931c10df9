/// A picture of the camera on its way through a challenge. It is looked at and forgotten.
package struct FaceFrame: Sendable {
    /// JPEG or PNG, unmirrored.
    package var image: [UInt8]
    /// When it was taken, measured by the device from the moment at which it had the challenge.
    package var time: Duration

    package init(image: [UInt8], time: Duration) {
        self.image = image
        self.time = time
    }
}
