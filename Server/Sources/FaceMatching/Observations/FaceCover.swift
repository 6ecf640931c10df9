/// The likelihood that each part of a face is covered, 0 to 1. It comes from features that the mesh and the eye network
/// compute anyway. docs/face.md describes how the weights were fitted and how often they err.
package struct FaceCover: Hashable, Sendable {
    package enum Part: String, CaseIterable, Sendable { case mouth, eyes, side }

    /// By a mask, a scarf, a hand.
    package var mouth: Double
    /// By dark glasses, a hand. Clear glasses are nothing.
    package var eyes: Double
    /// Of one half of the face.
    package var side: Double

    package init(mouth: Double, eyes: Double, side: Double) {
        self.mouth = mouth
        self.eyes = eyes
        self.side = side
    }

    /// Nothing covers the face.
    package static let none = FaceCover(mouth: 0, eyes: 0, side: 0)

    /// - Parameters:
    ///   - mesh: features of the mesh network.
    ///   - eyes: features of the eye network.
    init(mesh: [Float], eyes: [Float]) {
        self.init(
            mouth: Self.mouth.likelihood(mesh), eyes: Self.eyes.likelihood(eyes), side: Self.side.likelihood(mesh))
    }

    /// The part that is most likely covered.
    package var part: Part {
        if side >= mouth && side >= eyes { .side } else if mouth >= eyes { .mouth } else { .eyes }
    }

    /// How likely that part is covered.
    package var likelihood: Double { max(mouth, eyes, side) }
}
