package import BenjiProtocol

/// Changes the named settings of an app, or of a part of it, and keeps the others. In JSON they stand next to the id.
package protocol ChangeOrder: Order {
    associatedtype Changes: Codable, Sendable

    var id: AppID { get }
    var changes: Changes { get }

    init(_ id: AppID, _ changes: Changes)
}

private enum ChangedID: CodingKey { case id }

extension ChangeOrder {
    package var app: AppID? { id }

    package init(from decoder: any Decoder) throws {
        self.init(
            try decoder.container(keyedBy: ChangedID.self).decode(AppID.self, forKey: .id), try Changes(from: decoder))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ChangedID.self)
        try container.encode(id, forKey: .id)
        try changes.encode(to: encoder)
    }
}
