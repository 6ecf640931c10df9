import Foundation

/// Programs and files of other people's packages that a benchmark needs.
package enum Installed {
    /// - Parameters:
    ///   - name: a program, or the path of a file.
    ///   - package: the Debian package that has it.
    /// - Returns: its path.
    /// - Throws: ``BenchmarkFailure`` that names the package, if it is not there.
    @discardableResult
    package static func require(_ name: String, package: String) throws(BenchmarkFailure) -> String {
        // Debian keeps servers where an ordinary user's PATH does not look.
        let folders =
            (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":") + ["/usr/sbin", "/usr/bin"]
        let places = name.hasPrefix("/") ? [name] : folders.map { "\($0)/\(name)" }
        guard let path = places.first(where: FileManager.default.fileExists(atPath:)) else {
            throw BenchmarkFailure("\(name) is missing; install it with: apt-get install \(package)")
        }
        return path
    }
}
