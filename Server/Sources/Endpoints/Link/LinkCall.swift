import Authority
import BenjiProtocol

/// A phone's request on its way from gateway to authority. The request itself is the device dialect's, unchanged.
struct LinkCall: Sendable {
    var request: JSON
    var device: DeviceCall

    init(request: JSON, device: DeviceCall) {
        self.request = request
        self.device = device
    }

    var json: JSON {
        .object([
            "request": request, "device": device.json, "source": device.source.map { .string($0.description) },
        ])
    }

    init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        request = try reader.value("request")
        device = try DeviceCall(try reader.value("device"), path: "$.device")
        device.source = try reader.source(path: "$")
        try reader.finish()
    }
}

extension LinkCall: CustomStringConvertible, CustomReflectable {
    var description: String { "LinkCall" }
    /// Without children: the request holds credentials.
    var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension JSONObjectReader {
    /// The address that a phone or browser calls from, if the gateway states it.
    mutating func source(path: String) throws(JSONError) -> InternetAddress? {
        try optionalString("source", length: 0...64).map { text throws(JSONError) in
            guard let address = InternetAddress(text) else {
                throw JSONError(place: "\(path).source", problem: "must be an address")
            }
            return address
        }
    }
}
