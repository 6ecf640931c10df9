/// A fault in a configuration: the key, where it was set, and the permitted values.
package struct ConfigurationError: Error, Hashable, CustomStringConvertible {
    package var key: String
    package var problem: String

    package init(key: String, problem: String) { (self.key, self.problem) = (key, problem) }

    package var description: String { "configuration, \(key): \(problem)" }
}
