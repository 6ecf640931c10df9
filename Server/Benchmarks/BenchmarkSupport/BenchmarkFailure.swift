/// Why a benchmark has no result.
public struct BenchmarkFailure: Error, CustomStringConvertible, Sendable {
    public let description: String
    public init(_ description: String) { self.description = description }
}
