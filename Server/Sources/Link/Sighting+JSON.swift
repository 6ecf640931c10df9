package import BenjiProtocol
package import Sightings

extension SubscriptionReference {
    package var json: JSON {
        .object([
            "subscription": .integer(subscription), "epoch": .integer(epoch), "simGeneration": .integer(simGeneration),
        ])
    }

    package init(_ json: JSON, path: String) throws(JSONError) {
        var reader = try JSONObjectReader(json, path: path)
        try self.init(&reader)
        try reader.finish()
    }

    fileprivate init(_ reader: inout JSONObjectReader) throws(JSONError) {
        let counts = Int64(1)...Int64(Int32.max)
        self.init(
            subscription: try reader.integer("subscription", in: 1 ... .max),
            epoch: Int32(try reader.integer("epoch", in: counts)),
            simGeneration: Int32(try reader.integer("simGeneration", in: counts)))
    }
}

extension Result where Success == Sighting, Failure == SightingRefusal {
    /// The members of a message that say it: either `sighting` or `sightingRefusal`.
    package var members: [JSON.Member] {
        switch self {
        case .success(let sighting): [JSON.Member("sighting", sighting.json)]
        case .failure(let refusal): [JSON.Member("sightingRefusal", .string(refusal.rawValue))]
        }
    }
}

extension JSONObjectReader {
    /// The gateway's sighting or refusal in the message at `path`; `nil` if it states neither.
    mutating func optionalSighting(path: String) throws(JSONError) -> Result<Sighting, SightingRefusal>? {
        switch (optional("sighting"), optional("sightingRefusal")) {
        case (nil, nil): return nil
        case (let seen?, nil): return .success(try Sighting(seen, path: "\(path).sighting"))
        case (nil, let refused?):
            guard let refusal = refused.stringValue.flatMap(SightingRefusal.init(rawValue:)) else {
                throw JSONError(place: "\(path).sightingRefusal", problem: "is not a reason that this version knows")
            }
            return .failure(refusal)
        default:
            throw JSONError(place: path, problem: "must not hold both a sighting and a sightingRefusal")
        }
    }
}

extension Sighting {
    package var json: JSON {
        .object([
            "subscription": .integer(subscription.subscription), "epoch": .integer(subscription.epoch),
            "simGeneration": .integer(subscription.simGeneration), "carrier": .string(carrier.rawValue),
            "binding": .integer(binding.rawValue), "gateway": .string(gateway), "time": .integer(time.milliseconds),
            "localAddressConfirmed": .bool(localAddressConfirmed), "roaming": .bool(roaming),
            "fence": fence.map { .integer($0) },
        ])
    }

    package init(_ json: JSON, path: String) throws(JSONError) {
        var reader = try JSONObjectReader(json, path: path)
        let fence = try reader.optional("fence").map { json throws(JSONError) in
            guard let fence = json.integerValue, fence > 0 else {
                throw JSONError(place: "\(path).fence", problem: "must be an integer of at least 1")
            }
            return fence
        }
        self.init(
            subscription: try SubscriptionReference(&reader),
            carrier: try reader.value("carrier", "must be a carrier", Carrier.init(rawValue:)),
            binding: BindingID(rawValue: try reader.integer("binding")),
            gateway: try reader.string("gateway", length: 1...64),
            time: Timestamp(milliseconds: try reader.integer("time", in: 0...4_102_444_800_000)),
            localAddressConfirmed: try reader.bool("localAddressConfirmed"), roaming: try reader.bool("roaming"),
            fence: fence)
        try reader.finish()
    }
}
