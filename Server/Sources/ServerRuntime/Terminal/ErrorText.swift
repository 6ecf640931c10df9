import Foundation
import Requests

extension CocoaError {
    /// Whether something was read, and not written or made.
    fileprivate var isReading: Bool { (256..<512).contains(code.rawValue) || code == .fileNoSuchFile }
}

/// An error as an operator reads it. A value of Swift's is never shown as the compiler would write it.
package enum ErrorText {
    package static func of(_ error: any Error) -> String {
        switch error {
        case let refusal as Refusal: refusal.detail
        case let error as CocoaError: ofFile(error) ?? unexplained(error)
        case _ where !hasWords(error): unexplained(error)
        case let error as any CustomStringConvertible & Error: error.description
        case let error as any LocalizedError: error.errorDescription ?? unexplained(error)
        default: unexplained(error)
        }
    }

    /// Whether the error's type has a description of its own.
    package static func hasWords(_ error: any Error) -> Bool {
        // Foundation's have words of their own, which name domain and number.
        if error is CocoaError { return false }
        // The type is asked: a value may be bridged to one that has words, which are the compiler's again.
        return type(of: error) is any CustomStringConvertible.Type || type(of: error) is any LocalizedError.Type
    }

    /// Describes the problem with a file or folder.
    private static func ofFile(_ error: CocoaError) -> String? {
        guard let path = error.filePath ?? error.url?.path else { return nil }
        let problem = error.isReading ? CommandFile.readingProblem(path) : nil
        return "\(path): \(problem ?? CommandFile.makingProblem(path))"
    }

    private static func unexplained(_ error: any Error) -> String {
        "an unexpected error (\(type(of: error))); please report it with what you did"
    }
}
