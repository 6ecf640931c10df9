package import BenjiProtocol

extension FacePolicy {
    /// Reads what an operator has written: any of the thresholds below, between 0 and 1; those that are absent keep
    /// their values. What a challenge asks for is in `challenge`.
    package init(_ json: JSON) throws(JSONError) {
        self.init()
        var reader = try JSONObjectReader(json)
        for (name, path) in Self.thresholds {
            if let value = reader.optional(name) { self[keyPath: path] = try Self.share(value, "$.\(name)") }
        }
        // The textbook value of 0.363 accepts one in a thousand other people.
        guard verification >= 0.4 else { throw JSONError(place: "$.verification", problem: "must be 0.4 or more") }
        guard identification >= verification else {
            throw JSONError(place: "$.identification", problem: "must not be less than verification")
        }
        if let value = reader.optional("challenge") {
            var challenge = try JSONObjectReader(value, path: "$.challenge")
            if let gestures = challenge.optional("gestures") {
                guard let count = gestures.integerValue, (2...6).contains(count) else {
                    throw JSONError(place: "$.challenge.gestures", problem: "must be 2 to 6")
                }
                self.challenge.gestures = Int(count)
            }
            if let among = challenge.optional("among") { self.challenge.among = try Self.gestures(among) }
            if let life = challenge.optional("seconds") {
                guard let seconds = life.integerValue, (15...180).contains(seconds) else {
                    throw JSONError(place: "$.challenge.seconds", problem: "must be 15 to 180")
                }
                self.challenge.life = .seconds(seconds)
            }
            try challenge.finish()
        }
        try reader.finish()
    }

    private static var thresholds: [(String, WritableKeyPath<FacePolicy, Double>)] {
        [
            ("detectionScore", \.detectionScore), ("bystander", \.bystander), ("verification", \.verification),
            ("identification", \.identification),
            ("identificationMargin", \.identificationMargin), ("liveness", \.liveness), ("blink", \.blink),
            ("mouthOpen", \.mouthOpen), ("turned", \.turned), ("smile", \.smile), ("covered", \.quality.covered),
        ]
    }

    private static func gestures(_ json: JSON) throws(JSONError) -> [FaceGesture] {
        let names = json.arrayValue ?? []
        let gestures = names.compactMap { $0.stringValue.flatMap(FaceGesture.init(rawValue:)) }
        // Two gestures would always alternate, so a recording of them would fit every second challenge.
        guard gestures.count == names.count, Set(gestures).count == names.count, names.count >= 3 else {
            throw JSONError(
                place: "$.challenge.among",
                problem: "must be three or more of turnLeft, turnRight, blink, openMouth, each once")
        }
        return gestures
    }

    private static func share(_ json: JSON, _ place: String) throws(JSONError) -> Double {
        guard case .number(let text) = json, let value = Double(text), (0...1).contains(value) else {
            throw JSONError(place: place, problem: "must be a number from 0 to 1")
        }
        return value
    }
}
