package import BenjiProtocol

/// The state of a page for a code by SMS, besides its words. Each answer redraws the page, and nothing of this is kept.
package struct SMSForm: Hashable, Sendable {
    /// The number, as the person typed it. It is kept in no row: the page brings it back when another code is asked
    /// for.
    package var number = ""
    /// Whether the person has ticked the terms.
    package var isAgreed = false
    /// By what the code is known that was sent; `nil` on the page that asks for the number.
    package var transaction: String?
    /// Of a code.
    package var digits: Int64 = 6
    /// `138****0001`: where the code was sent to.
    package var maskedNumber = ""
    /// The error in the previous answer, if there was one.
    package var problem: Situation?
    /// Wrong codes that may still be typed, after one.
    package var triesLeft: Int64?
    /// Seconds until another code may be asked for.
    package var wait: Int64 = 0

    package init() {}
}

extension SMSForm: CustomStringConvertible, CustomReflectable {
    /// Without number and transaction.
    package var description: String { "SMSForm(problem: \(problem?.rawValue ?? "none"))" }
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
