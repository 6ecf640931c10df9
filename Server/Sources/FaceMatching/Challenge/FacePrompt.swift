public import BenjiFaceTexts

/// What the person is asked for at this moment.
public enum FacePrompt: Hashable, Sendable {
    /// Into the camera, with open eyes and closed mouth: before the first gesture and after each.
    case lookStraight
    case gesture(FaceGesture)

    /// A stable name for pages and apps.
    public var name: String {
        switch self {
        case .lookStraight: "lookStraight"
        case .gesture(let gesture): gesture.rawValue
        }
    }

    public init?(name: String) {
        if name == "lookStraight" {
            self = .lookStraight
        } else if let gesture = FaceGesture(rawValue: name) {
            self = .gesture(gesture)
        } else {
            return nil
        }
    }

    /// What the person is told.
    public var sentence: FaceSentence {
        switch self {
        case .lookStraight: .lookStraight
        case .gesture(.turnLeft): .turnLeft
        case .gesture(.turnRight): .turnRight
        case .gesture(.blink): .blink
        case .gesture(.openMouth): .openMouth
        }
    }
}
