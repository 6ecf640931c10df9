package import Authority
import BenjiProtocol

/// What is to become of a list: a new one, or what comes and goes. Nothing is in it twice.
package struct ListChange: Hashable, Sendable {
    /// The new list; empty to keep the present one.
    package var list: [String]
    package var adding: [String]
    package var removing: [String]

    package init(_ list: [String] = [], adding: [String] = [], removing: [String] = []) {
        self.list = list
        self.adding = adding
        self.removing = removing
    }

    /// Whether it names anything.
    package var isEmpty: Bool { list.isEmpty && adding.isEmpty && removing.isEmpty }

    /// What comes in by it.
    var named: [String] { list + adding }

    /// - Throws: ``Refusal`` if it is a new list and changes of the present one at once, or if what should be removed is not
    ///   there: then something else was meant.
    package func apply(to present: inout [String], of noun: String) throws(Refusal) {
        guard list.isEmpty || (adding.isEmpty && removing.isEmpty) else {
            throw Refusal(.parameterInvalid, "\(noun): give the new list, or what to add and remove, not both")
        }
        if !list.isEmpty { present = [] }
        for element in named where !present.contains(element) { present.append(element) }
        for element in removing {
            guard let index = present.firstIndex(of: element) else {
                let there = present.isEmpty ? "it has none" : "it has \(present.joined(separator: ", "))"
                throw Refusal(.parameterInvalid, "there is no \(noun) \(element.prefix(64)) to remove; \(there)")
            }
            present.remove(at: index)
        }
    }
}
