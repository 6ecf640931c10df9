/// A fault in a configuration: the key, where it was set, and the permitted values.
struct ConfigurationError: Error, Hashable, CustomStringConvertible {
    var key: String
    var problem: String

    var description: String { "configuration, \(key): \(problem)" }
}
