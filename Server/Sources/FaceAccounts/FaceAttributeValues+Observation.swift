import Authority
import BenjiFaceProtocol
import BenjiProtocol
import FaceMatching

extension FaceAttributeValues {
    /// The requested fields, in this order, from the measurements. Fields that the models do not measure are absent.
    init(_ face: FaceObservation, policy: FacePolicy, fields: [FaceAttributeField]) {
        self.init(fields.compactMap { field in Self.value(of: field, face, policy).map { (field, $0) } })
    }

    private static func value(
        of field: FaceAttributeField, _ face: FaceObservation, _ policy: FacePolicy
    ) -> JSON? {
        let mesh = face.mesh
        switch field {
        case .smiling: return face.attributes.map { judged($0.smile > policy.smile, $0.smile) }
        case .male: return face.attributes.map { judged($0.male > 0.5, max($0.male, 1 - $0.male)) }
        case .age: return face.attributes.map { number($0.age) }
        case .emotions:
            // `confused` is absent: no model measures it. `afraid` is the model's own, not the document's.
            return face.attributes.map { attributes in
                .object(
                    FaceExpression.allCases.map { JSON.Member($0.rawValue, number(attributes.expressions[$0] ?? 0)) })
            }
        case .orientation:
            let orientation = mesh.orientation
            return .object([
                "yaw": number(orientation.yaw), "pitch": number(orientation.pitch), "roll": number(orientation.roll),
            ])
        case .blink: return face.eyes.map { judged($0 < policy.blink, $0) }
        case .mouthOpen: return judged(mesh.mouthOpening > policy.mouthOpen, mesh.mouthOpening)
        case .components:
            let points = face.points
            return .object([
                "left_eye": point(points.leftEye), "right_eye": point(points.rightEye), "nose": point(points.nose),
                "mouth_left": point(points.mouthLeft), "mouth_right": point(points.mouthRight),
            ])
        case .position:
            let box = face.box
            return .object([
                "top": number(box.top), "left": number(box.left), "right": number(box.left + box.width),
                "bottom": number(box.top + box.height),
            ])
        }
    }

    private static func judged(_ result: Bool, _ score: Double) -> JSON {
        .object(["result": .integer(result ? 1 : 0), "score": number(score)])
    }

    private static func point(_ point: FacePoint) -> JSON { .array([number(point.x), number(point.y)]) }

    /// Three places: more would say more than was measured.
    private static func number(_ value: Double) -> JSON {
        guard value.isFinite else { return .number("0") }
        let thousandths = Int64((value * 1000).rounded())
        let magnitude = thousandths.magnitude
        let fraction = String(magnitude % 1000)
        return .number(
            "\(thousandths < 0 ? "-" : "")\(magnitude / 1000)."
                + String(repeating: "0", count: 3 - fraction.count) + fraction)
    }
}
