import BenjiProtocol

/// A gesture to perform before the camera. Left and right are the person's own.
package enum FaceGesture: String, CaseIterable, Codable, Sendable {
    case turnLeft
    case turnRight
    case blink
    case openMouth

    /// A random sequence in which nothing is asked twice in a row, each as likely as any other.
    /// - Parameter among: what may be asked for, three or more.
    static func sequence(
        _ count: Int, among: [FaceGesture] = allCases, _ random: any RandomSource
    ) -> [FaceGesture] {
        var gestures: [FaceGesture] = []
        while gestures.count < count {
            let choices = among.filter { $0 != gestures.last }
            // Rejects bytes above the last multiple, so that the choice is uniform.
            let byte = Int(random.bytes(1)[0])
            guard byte < 256 / choices.count * choices.count else { continue }
            gestures.append(choices[byte % choices.count])
        }
        return gestures
    }
}
