@_spi(Server) package import BenjiProtocol
package import Sightings

/// Numbers and SIMs that a gateway heard of. Prints neither.
package struct ObservationBatch: Sendable {
    /// Observations that one message holds at most. A larger batch is sent in parts.
    package static let maximumCount = 512

    package var observations: [SubscriberObservation]

    package init(_ observations: [SubscriberObservation]) { self.observations = observations }

    package var json: JSON { .object(["observations": .array(observations.map(\.json))]) }

    package init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        let items = try reader.array("observations", count: 1...Self.maximumCount)
        try reader.finish()
        observations = []
        for (index, item) in items.enumerated() {
            observations.append(try SubscriberObservation(item, path: "$.observations[\(index)]"))
        }
    }
}

extension ObservationBatch: CustomStringConvertible, CustomReflectable {
    package var description: String { "ObservationBatch(\(observations.count))" }
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension SubscriberObservation {
    fileprivate var json: JSON {
        .object([
            "number": .string("+" + number.e164), "imsi": imsi.map { .string($0) },
            "carrier": .string(carrier.rawValue), "eventTime": .integer(eventTime.milliseconds),
            "startsSession": .bool(startsSession),
        ])
    }

    fileprivate init(_ json: JSON, path: String) throws(JSONError) {
        var reader = try JSONObjectReader(json, path: path)
        let number = try reader.e164("number")
        self.init(
            // As long as a RADIUS attribute may be.
            number: number, imsi: try reader.optionalString("imsi", length: 0...253),
            carrier: try reader.value("carrier", "must be a carrier", Carrier.init(rawValue:)),
            eventTime: Timestamp(milliseconds: try reader.integer("eventTime", in: 0...4_102_444_800_000)),
            startsSession: try reader.bool("startsSession"))
        try reader.finish()
    }
}

/// The register's answer to an ``ObservationBatch``, in its order.
package struct ObservationAnswer: Hashable, Sendable {
    package var subscriptions: [SubscriptionReference?]

    package init(_ subscriptions: [SubscriptionReference?]) { self.subscriptions = subscriptions }

    package var json: JSON { .object(["subscriptions": .array(subscriptions.map { $0?.json ?? .null })]) }

    /// - Parameter count: how many were asked about; another count is an error.
    package init(_ json: JSON, count: Int) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        let items = try reader.array("subscriptions", count: count...count)
        try reader.finish()
        subscriptions = []
        for (index, item) in items.enumerated() {
            subscriptions.append(
                item == .null ? nil : try SubscriptionReference(item, path: "$.subscriptions[\(index)]"))
        }
    }
}

extension JSONObjectReader {
    /// A number with its plus sign only: without it eleven digits could be read as a number of another country.
    package mutating func e164(_ name: String) throws(JSONError) -> PhoneNumber {
        try value(name, "must be a number in E.164 form with its plus sign") { text in
            PhoneNumber(text).flatMap { "+" + $0.e164 == text ? $0 : nil }
        }
    }
}
