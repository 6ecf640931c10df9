import CFaceEngine

/// The estimates of the attribute models. They judge by appearance, so no decision may rest on them alone.
///
/// Glasses, beard and looks are not here, because no model measures them.
package struct FaceAttributes: Hashable, Sendable {
    /// In years, with a fraction; off by seven years on average, says the model's author.
    package var age: Double
    /// 0 to 1: how much the face looks male to the model. It knows two classes and no more.
    package var male: Double
    /// Shares that sum to 1.
    package var expressions: [FaceExpression: Double]

    package init(age: Double, male: Double, expressions: [FaceExpression: Double]) {
        self.age = age
        self.male = male
        self.expressions = expressions
    }

    /// The share of happiness. No model measures a smile apart from that.
    package var smile: Double { expressions[.happy] ?? 0 }

    /// The expression with the largest share.
    package var expression: FaceExpression {
        FaceExpression.allCases.max { (expressions[$0] ?? 0) < (expressions[$1] ?? 0) } ?? .calm
    }
}

/// The seven expressions that the model tells apart. "Confused", which a vendor's document lists, is not one of them.
package enum FaceExpression: String, CaseIterable, Sendable {
    case angry, disgust, afraid, happy, sad, surprised, calm
}

extension FaceAttributes {
    init(_ attributes: face_attributes) {
        age = Double(attributes.age)
        male = Double(attributes.male)
        let shares = withUnsafeBytes(of: attributes.expressions) { $0.bindMemory(to: Float.self).map(Double.init) }
        expressions = Dictionary(uniqueKeysWithValues: zip(FaceExpression.allCases, shares))
    }
}
