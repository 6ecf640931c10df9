import BenjiFaceProtocol
import BenjiProtocol
import Foundation

/// An app's data about its user: `name`, `email` and `avatar` as texts, and any other members that fit into JSON.
enum AppUserInfo {
    /// `nil` if something in it cannot be kept: another type, a key that is no text, or more than fits.
    static func read(_ dictionary: [AnyHashable: Any]?) -> FaceUserInfo? {
        var info = FaceUserInfo()
        var others: [JSON.Member] = []
        for (key, value) in dictionary ?? [:] {
            guard let name = key as? String else { return nil }
            switch name {
            case "name", "email", "avatar":
                guard let text = value as? String else { return nil }
                if name == "name" { info.name = text }
                if name == "email" { info.email = text }
                if name == "avatar" { info.avatar = text }
            default:
                guard let json = json(value, depth: 0) else { return nil }
                others.append(JSON.Member(name, json))
            }
        }
        if !others.isEmpty { info.other = .object(others.sorted { $0.name < $1.name }) }
        // The wire's own limits.
        return try? FaceUserInfo(info.json, path: "$", isRequest: true)
    }

    private static func json(_ value: Any, depth: Int) -> JSON? {
        guard depth < 16 else { return nil }
        switch value {
        case let text as String: return .string(text)
        case let number as Int: return .integer(number)
        case let number as Double: return number.isFinite ? .number("\(number)") : nil
        case let values as [Any]:
            let items = values.compactMap { json($0, depth: depth + 1) }
            return items.count == values.count ? .array(items) : nil
        case let dictionary as [String: Any]:
            let members = dictionary.sorted { $0.key < $1.key }.compactMap { name, value in
                json(value, depth: depth + 1).map { JSON.Member(name, $0) }
            }
            return members.count == dictionary.count ? .object(members) : nil
        default: return nil
        }
    }
}
