package import ArgumentParser
import Foundation

/// The options that all benchmarks share.
package struct BenchmarkOptions: ParsableArguments {
    @Option(help: "How often everything is measured.") package var rounds = 5
    @Flag(help: "End with one line of JSON for the collector.") package var json = false
    @Flag(help: "Tiny sizes: shows that the benchmark works; its figures mean nothing.") package var smoke = false

    package init() {}

    package func validate() throws {
        guard rounds > 0 else { throw ValidationError("--rounds: at least 1") }
    }

    /// Prints an interim result to standard error, where it does not disturb the result.
    package func note(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

    /// Prints the table, and the JSON line if it was asked for.
    package func report(_ result: BenchmarkResult) throws {
        print(result.table.text)
        if json { print(try result.json) }
    }
}
