public import BenjiProtocol

/// The fields of the vendor's `featureInfo` that can be measured. `eyeglasses`, `sunglasses`, `mustache` and
/// `attractive` are not among them: no model measures them, and nothing is invented.
public enum FaceAttributeField: String, Hashable, Sendable, CaseIterable {
    case smiling, male, age, emotions, orientation, blink
    case mouthOpen = "mouth_open"
    case components, position

    /// The fields that every app with face login may read. The others are granted apart, as in the vendor's document.
    public static let usual: Set<FaceAttributeField> = [.smiling, .male, .age]
}

/// The vendor's `featureInfo`, as it is handed to the app. Fields that were not measured, or are not granted, are
/// absent.
public struct FaceAttributeValues: Hashable, Sendable {
    public var json: JSON

    public init(_ fields: [(FaceAttributeField, JSON)]) {
        json = .object(fields.map { JSON.Member($0.0.rawValue, $0.1) })
    }

    init(_ json: JSON, path: String) throws(JSONError) {
        _ = try JSONObjectReader(json, path: path)
        self.json = json
    }

    public subscript(field: FaceAttributeField) -> JSON? { json[field.rawValue] }
}
