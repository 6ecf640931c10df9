import Authority
import Foundation

/// An error as an operator reads it. A value of Swift's is never shown as the compiler would write it.
enum ErrorText {
    static func of(_ error: any Error) -> String {
        switch error {
        case let refusal as Refusal: refusal.detail
        case _ where !hasWords(error): unexplained(error)
        case let error as any CustomStringConvertible & Error: error.description
        case let error as any LocalizedError: error.errorDescription ?? unexplained(error)
        default: unexplained(error)
        }
    }

    /// Whether the error's type has a description of its own.
    static func hasWords(_ error: any Error) -> Bool {
        // The type is asked: a value may be bridged to one that has words, which are the compiler's again.
        type(of: error) is any CustomStringConvertible.Type || type(of: error) is any LocalizedError.Type
    }

    private static func unexplained(_ error: any Error) -> String {
        "an unexpected error (\(type(of: error))); please report it with what you did"
    }
}
