@_spi(Server) package import BenjiProtocol
package import Store

/// The actor, origin and reason of an order: the audit log's data besides the change itself.
///
/// Every change to what operators decide takes one, and writes the log's line in the commit of the change.
package struct OrderNote: Hashable, Sendable {
    /// The person or program: a user of the machine, or the name of an operator's token.
    package var actor: String
    package var role: String
    /// Where the order was given: "command line", or an address.
    package var origin: String
    /// The order's name: "app.suspend".
    package var order: String
    package var reason: String?
    /// See ``AuditEntry/request``.
    package var request: OrderRequest?

    package init(
        actor: String, role: String, origin: String, order: String, reason: String? = nil,
        request: OrderRequest? = nil
    ) {
        self.actor = actor
        self.role = role
        self.origin = origin
        self.order = order
        self.reason = reason
        self.request = request
    }

    /// The fault of a reason, or `nil`. It is kept for good and shown on terminals, so it is held to
    /// ``BenjiValues/TextGrammar`` and holds nothing that looks like a mobile number.
    /// - Parameter number: the one that the order is about, which the reason must not hold wherever it is from.
    package static func problem(inReason reason: String, of number: PhoneNumber? = nil) -> String? {
        guard (1...500).contains(reason.utf8.count) else { return "reason: 1 to 500 bytes" }
        if let problem = TextGrammar.problem(in: reason) { return "reason: \(problem)" }
        let digits = reason.compactMap(digit).joined()
        guard !mayHoldNumber(reason), number.map({ digits.contains($0.e164.suffix(8)) }) != true else {
            return "reason: must not hold a phone number; the audit log keeps it for good"
        }
        return nil
    }

    private static func digit(_ character: Character) -> String? {
        character.wholeNumberValue.flatMap { (0...9).contains($0) ? String($0) : nil }
    }

    /// Whether eleven digits have the form of a mobile number of mainland China, with its country code or without. They
    /// may be written in groups: 138-0000-0001.
    private static func mayHoldNumber(_ text: String) -> Bool {
        // Separators that people write between the groups. Colons and commas are in times and lists.
        let separators: Set<Character> = ["-", "–", "—", ".", "(", ")", "/", "_", "·", "+"]
        var runs: [[String]] = [[]]
        var isInGroup = false
        for character in text {
            if let digit = digit(character) {
                if isInGroup {
                    runs[runs.count - 1][runs[runs.count - 1].count - 1] += digit
                } else {
                    runs[runs.count - 1].append(digit)
                }
                isInGroup = true
            } else {
                isInGroup = false
                if !character.isWhitespace, !separators.contains(character) { runs.append([]) }
            }
        }
        func isNumber(_ digits: String) -> Bool {
            let national = digits.count == 13 ? digits.dropFirst(2) : Substring(digits)
            return MainlandMobile.hasForm(Array(national.utf8))
        }
        return runs.contains { groups in
            groups.indices.contains { first in
                var digits = ""
                return groups[first...].contains { group in
                    digits += group
                    return isNumber(digits)
                }
            }
        }
    }

    /// The line of the audit log. It keeps only the members in which `before` and `after` differ, and only the
    /// differing elements of long lists.
    package func entry(
        at moment: Timestamp, app: AppID? = nil, subject: String? = nil, from before: JSON? = nil,
        to after: JSON? = nil, outcome: Situation = .success
    ) -> AuditEntry {
        AuditEntry(
            at: moment, actor: actor, role: role, origin: origin, order: order, app: app, subject: subject,
            before: Self.members(of: before, not: after), after: Self.members(of: after, not: before), reason: reason,
            outcome: outcome, request: outcome == .success ? request : nil)
    }

    /// A list with more elements than this, before or after, is not written whole.
    private static let wholeList = 20

    private static func members(of value: JSON?, not other: JSON?) -> String? {
        guard case .object(let members)? = value else { return nil }
        let differing = members.filter { other?[$0.name] != $0.value }.map { member in
            JSON.Member(member.name, part(of: member.value, not: other?[member.name]))
        }
        return differing.isEmpty ? nil : JSON.object(differing).text
    }

    /// Shortens a long list, because lines are never deleted. `only` has the elements that the other list lacks,
    /// `count` the number of all elements. A list that is new stays whole.
    private static func part(of value: JSON, not other: JSON?) -> JSON {
        guard case .array(let elements) = value, case .array(let others)? = other,
            max(elements.count, others.count) > wholeList
        else { return value }
        let there = Set(others.map(\.text))
        return .object([
            "only": .array(elements.filter { !there.contains($0.text) }), "count": .integer(Int64(elements.count)),
        ])
    }
}
