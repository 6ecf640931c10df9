import BenjiProtocol
import OpenIDProvider
import Sightings

/// A browser's request for a login page on its way from gateway to authority.
///
/// Whatever a gateway lets through must be readable here: a message that the authority cannot read is held to be a
/// fault of the node. So nothing that a browser says has a bound of its own beside the size of the whole.
struct LinkBrowserCall: Sendable {
    /// Where the gateway's browsers reach the pages. The authority's must be the same.
    var pages: String
    /// The parameters of an authorization request, or the form of a page.
    var request: JSON
    var call: OpenIDProvider.BrowserCall

    init(pages: String, request: JSON, call: OpenIDProvider.BrowserCall) {
        self.pages = pages
        self.request = request
        self.call = call
    }

    var json: JSON {
        var members = [
            JSON.Member("pages", .string(pages)), JSON.Member("request", request),
            JSON.Member("cookies", .strings(call.cookies)),
            JSON.Member("languages", .array(call.languages.map { .string($0) })),
        ]
        if case .frame(let origin) = call.destination {
            members.append(JSON.Member("frame", .object(["origin": origin.map { .string($0) }])))
        }
        if let source = call.source { members.append(JSON.Member("source", .string(source.description))) }
        return .object(members + call.sighting.members)
    }

    init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        pages = try reader.string("pages", length: 1...2048)
        request = try reader.value("request")
        let cookies = try reader.value("cookies").strings(at: "$.cookies")
        let languages = try reader.texts("languages")
        var destination = OpenIDProvider.BrowserCall.Destination.window
        if let frame = reader.optional("frame") {
            var frame = try JSONObjectReader(frame, path: "$.frame")
            destination = .frame(of: try frame.optionalString("origin", length: 0 ... .max))
            try frame.finish()
        }
        let source = try reader.source(path: "$")
        let sighting = try reader.sighting(path: "$")
        try reader.finish()
        call = OpenIDProvider.BrowserCall(
            cookies: cookies, languages: languages, sighting: sighting, destination: destination, source: source)
    }
}

extension LinkBrowserCall: CustomStringConvertible, CustomReflectable {
    var description: String { "LinkBrowserCall" }
    /// Without children: a form and cookies are credentials.
    var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension OpenIDParameters {
    var json: JSON { .strings(values) }

    init(_ json: JSON) throws(JSONError) {
        let pairs = try json.strings(at: "$.request").map { (name: $0, value: $1) }
        do { try self.init(pairs) } catch { throw JSONError(place: "$.request", problem: error.detail) }
    }
}

extension OpenIDProvider.PageAnswer {
    var json: JSON {
        .object([
            "secret": .string(secret), "action": .string(action), "agreed": .bool(isAgreed), "digits": .string(digits),
            "number": number.isEmpty ? nil : .string(number),
            "transaction": transaction.isEmpty ? nil : .string(transaction),
            "remember": isRemembered ? .bool(true) : nil,
        ])
    }

    init(_ json: JSON) throws(JSONError) {
        let text = 0...OpenIDParameters.maximumLength
        var reader = try JSONObjectReader(json, path: "$.request")
        self.init(
            secret: try reader.string("secret", length: text), action: try reader.string("action", length: text),
            isAgreed: try reader.bool("agreed"), digits: try reader.string("digits", length: text),
            number: try reader.optionalString("number", length: text) ?? "",
            transaction: try reader.optionalString("transaction", length: text) ?? "",
            isRemembered: reader.optional("remember")?.boolValue ?? false)
        try reader.finish()
    }
}

extension JSON {
    /// An object whose members are all texts.
    static func strings(_ values: [String: String]) -> JSON {
        .object(values.sorted { $0.key < $1.key }.map { Member($0.key, .string($0.value)) })
    }

    /// The members of an object that are all texts.
    func strings(at place: String) throws(JSONError) -> [String: String] {
        guard case .object(let members) = self else { throw JSONError(place: place, problem: "must be an object") }
        var values: [String: String] = [:]
        for member in members {
            guard let text = member.value.stringValue else {
                throw JSONError(place: place, problem: "each member must be a string")
            }
            values[member.name] = text
        }
        return values
    }
}

extension JSONObjectReader {
    /// A member that is an array of texts.
    mutating func texts(
        _ name: String, count: ClosedRange<Int> = 0 ... .max
    ) throws(JSONError) -> [String] {
        var texts: [String] = []
        for item in try array(name, count: count) {
            guard let text = item.stringValue else {
                throw JSONError(place: "\(path).\(name)", problem: "each must be a string")
            }
            texts.append(text)
        }
        return texts
    }
}
