import Authority
import BenjiProtocol
import Sightings

/// A web page's request in the operator's H5 shape on its way from gateway to authority.
struct LinkBrowserToken: Sendable {
    var request: JSON
    /// Of the page, as the browser names it.
    var origin: String?
    var sighting: Result<Sighting, SightingRefusal>

    init(request: JSON, origin: String?, sighting: Result<Sighting, SightingRefusal>) {
        self.request = request
        self.origin = origin
        self.sighting = sighting
    }

    var json: JSON {
        .object(
            [JSON.Member("request", request)] + (origin.map { [JSON.Member("origin", .string($0))] } ?? [])
                + sighting.members)
    }

    init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        request = try reader.value("request")
        origin = try reader.optionalString("origin", length: 0 ... .max)
        sighting = try reader.sighting(path: "$")
        try reader.finish()
    }
}

extension LinkBrowserToken: CustomStringConvertible, CustomReflectable {
    var description: String { "LinkBrowserToken" }
    /// Without children: the request is signed and counts once.
    var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// A token that was issued to a web page, and the name of its login.
struct IssuedBrowserToken {
    var token: String
    var trace: TraceID

    var json: JSON { .object(["token": .string(token), "trace": .string(trace.rawValue)]) }

    init(token: String, trace: TraceID) {
        self.token = token
        self.trace = trace
    }

    init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        token = try reader.string("token", length: 1...128)
        trace = try reader.value("trace", "is not a trace", TraceID.init(rawValue:))
        try reader.finish()
    }
}
