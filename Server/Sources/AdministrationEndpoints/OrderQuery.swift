import Administration
import BenjiProtocol
import Foundation
import Hummingbird
import Requests

/// Reads the orders that only look, whose members are in the address.
enum OrderQuery {
    /// How many members an address may have: no order has more. Each costs a reading of all the others where one is
    /// wrong.
    static let maximumParameters = 32

    /// - Parameter path: the members in the path.
    /// - Throws: ``Refusal`` that names a parameter that is missing, invalid, repeated or unknown.
    static func read<Asked: Order>(_ type: Asked.Type, _ path: [JSON.Member], query: String?) throws(Refusal) -> Asked {
        var names: [String] = []
        let parts = (query ?? "").split(separator: "&")
        guard parts.count <= maximumParameters else {
            throw Refusal(.parameterInvalid, "the address has more than \(maximumParameters) parameters")
        }
        for part in parts {
            let name = String(part.prefix { $0 != "=" })
            guard !names.contains(name), !path.contains(where: { $0.name == name }) else {
                throw Refusal(.parameterInvalid, "\(name.prefix(64)): is there twice")
            }
            names.append(name)
        }
        let order: Asked
        do { order = try decode(type, path, query ?? "") } catch {
            // The decoder does not say which one it could not read: without that one it reads the others.
            let fault = names.first { name in
                let others = (query ?? "").split(separator: "&").filter { $0.prefix { $0 != "=" } != name }
                return (try? decode(type, path, others.joined(separator: "&"))) != nil
            }
            throw OrderForm.refusal(error, of: fault ?? "the address")
        }
        let known = try OrderForm.write(order)
        for name in names where known[name] == nil {
            throw Refusal(.parameterInvalid, "\(name.prefix(64)): there is no such parameter here")
        }
        return order
    }

    private static func decode<Asked: Order>(_ type: Asked.Type, _ path: [JSON.Member], _ query: String) throws -> Asked
    {
        let given = Set(query.split(separator: "&").map { String($0.prefix { $0 != "=" }) })
        let rest = (path + type.usual.filter { !given.contains($0.name) }).compactMap { member -> String? in
            // An empty list is written by leaving it out.
            guard member.value != .array([]) else { return nil }
            return "\(member.name)=\(OrderForm.escaped(member.value))"
        }
        return try URLEncodedFormDecoder().decode(
            type, from: ([query] + rest).filter { !$0.isEmpty }.joined(separator: "&"))
    }
}
