import Authority

/// The parameters of a request, each at most once (RFC 6749 §3.1). An empty one counts as absent, and one that is not
/// known is ignored.
package struct OpenIDParameters: Hashable, Sendable {
    package private(set) var values: [String: String] = [:]

    /// The longest value that is looked at, in bytes.
    package static let maximumLength = 16384
    /// Parameters of extensions that may occur several times (RFC 8707 §2, RFC 8693 §2.1). None of them is read here.
    private static let repeatable: Set<String> = ["resource", "audience"]

    package init(_ pairs: [(name: String, value: String)]) throws(OpenIDFailure) {
        for (name, value) in pairs where !Self.repeatable.contains(name) {
            guard value.utf8.count <= Self.maximumLength else {
                throw OpenIDFailure(.invalidRequest, "a parameter is longer than \(Self.maximumLength) bytes")
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw OpenIDFailure(.invalidRequest, "\(Self.shown(name)): occurs twice")
            }
        }
        values = values.filter { !$0.value.isEmpty }
    }

    init(values: [String: String]) { self.values = values }

    package subscript(name: String) -> String? { values[name] }

    func with(_ name: String, _ value: String) -> OpenIDParameters {
        OpenIDParameters(values: values.merging([name: value]) { $1 })
    }

    package func required(_ name: String) throws(OpenIDFailure) -> String {
        guard let value = values[name] else { throw OpenIDFailure(.invalidRequest, "\(name): missing") }
        return value
    }

    /// A name is repeated only if it cannot be anything but a name.
    private static func shown(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { (0x61...0x7a).contains($0) || $0 == 0x5f }
        return isPlain && name.utf8.count <= 32 ? name : "a parameter"
    }
}
