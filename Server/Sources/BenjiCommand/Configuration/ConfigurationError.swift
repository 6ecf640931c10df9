/// What is wrong with a configuration: which key, where it was set, what is allowed.
struct ConfigurationError: Error, Hashable, CustomStringConvertible {
    var key: String
    var problem: String

    var description: String { "configuration, \(key): \(problem)" }
}
