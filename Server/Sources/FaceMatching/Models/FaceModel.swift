/// The files of the models, as `make face-models` writes them. docs/face.md says where each comes from.
package enum FaceModel: String, CaseIterable, Sendable {
    case detector, embedding, age, gender, expression
    case livenessNear = "liveness-near"
    case livenessWide = "liveness-wide"
    case mesh, eyes

    package var fileName: String { rawValue + ".onnx" }

    /// SHA-256 of the file; another is not loaded. The same as in scripts/face/models.json.
    package var digest: String {
        switch self {
        case .detector: "8f2383e4dd3cfbb4553ea8718107fc0423210dc964f9f4280604804ed2552fa4"
        case .embedding: "0ba9fbfa01b5270c96627c4ef784da859931e02f04419c829e83484087c34e79"
        case .age: "8b3d237b04fed9f0205c3659681ff6377186645665a82648635e3dd54abb2af0"
        case .gender: "4896775ce41500bfff9b66f3fbdf8dbc363eb92e5127eb1b122638bcd315b11c"
        case .expression: "e37ba2f5dfd325c4eb3dc5901da5578fe7ac353da62361cc67e6fcd9a62b76fc"
        case .livenessNear: "316edadb8129ea9d208367023f9e593e955feff696b2a0331049528019b63c1b"
        case .livenessWide: "dac8b2e341a2f764c4aa06732b4a9a959d8c22edaa5553adf10999cf13bfcf75"
        case .eyes: "b50ed9c234b5716c641a5c3b0e0048a4ed4b66d2638490d94c6376c54dca54f7"
        case .mesh: "fd5e8581e7b12b04c2d9f407c20d94dcc67832d74323f7e4b038ce7af2f497d2"
        }
    }
}
