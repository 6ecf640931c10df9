/// Why a benchmark has no result.
package struct BenchmarkFailure: Error, CustomStringConvertible, Sendable {
    package let description: String
    package init(_ description: String) { self.description = description }
}
