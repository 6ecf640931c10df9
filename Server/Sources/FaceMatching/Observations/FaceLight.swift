import CFaceEngine

/// The light and focus of a face, measured on the pixels that the embedding uses.
package struct FaceLight: Hashable, Sendable {
    /// Variance of the Laplacian: how much fine structure there is.
    package var sharpness: Double
    /// Mean, 0 (black) to 1 (white).
    package var brightness: Double
    /// Standard deviation, 0 to 0.5.
    package var contrast: Double
    /// The part of the pixels that are black or white, 0 to 1.
    package var clipped: Double
    /// By how much one half of the face is brighter than the other, 0 to 1.
    package var imbalance: Double

    package init(sharpness: Double, brightness: Double, contrast: Double, clipped: Double, imbalance: Double) {
        self.sharpness = sharpness
        self.brightness = brightness
        self.contrast = contrast
        self.clipped = clipped
        self.imbalance = imbalance
    }

    init(_ light: face_light) {
        sharpness = Double(light.sharpness)
        brightness = Double(light.brightness)
        contrast = Double(light.contrast)
        clipped = Double(light.clipped)
        imbalance = Double(light.imbalance)
    }
}
