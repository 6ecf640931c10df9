package import BenjiFaceTexts

/// The current request to the person.
package enum FacePrompt: Hashable, Sendable {
    /// Into the camera, with open eyes and closed mouth: before the first gesture and after each.
    case lookStraight
    case gesture(FaceGesture)

    var name: String {
        switch self {
        case .lookStraight: "lookStraight"
        case .gesture(let gesture): gesture.rawValue
        }
    }

    /// The sentence for the person.
    package var sentence: FaceSentence {
        switch self {
        case .lookStraight: .lookStraight
        case .gesture(.turnLeft): .turnLeft
        case .gesture(.turnRight): .turnRight
        case .gesture(.blink): .blink
        case .gesture(.openMouth): .openMouth
        }
    }
}
