package import BenjiProtocol
import Crypto
package import Store

extension AppRecord {
    /// An app as operators see it: everything but its keys.
    package func json(_ usages: [AppKeyUsage] = [], now: Timestamp) -> JSON {
        let settings = AppSetting.all.filter { $0 != .name && $0 != .wideAddresses }.flatMap { $0.shown(self) }
        let members: [JSON.Member] =
            [
                JSON.Member("id", .string(id.rawValue)), JSON.Member("name", .string(name)),
                JSON.Member("keys", .array(keys.map { KeySummary($0, use: $0.use, usages).json })),
                JSON.Member("oneKey", .bool(hasOneKey(at: now))), JSON.Member("suspended", .bool(suspended)),
                JSON.Member("allowed", .bool(allowed)),
                JSON.Member("deletedAfter", deletedAfter.map { .integer($0.milliseconds) } ?? .null),
            ] + settings + [
                JSON.Member("callback", callback?.json ?? .null), JSON.Member("contract", contract.last?.json ?? .null),
                JSON.Member("createdAt", .integer(createdAt.milliseconds)),
            ]
        return .object(members.filter { $0.value != .null })
    }

    /// By which a public key is told from others: the beginning of the SHA-256 of its text, in base64url.
    package static func digest(_ key: String) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Array(key.utf8)).prefix(12)))
    }
}

extension ContractEntry {
    /// A contract as operators and the app's owner see it: all of it.
    package var json: JSON {
        .object([
            "entry": .integer(number), "from": .string(CalendarDay(number: from).description),
            "until": terms?.until.map { .string(CalendarDay(number: $0).description) },
            "reference": terms.map { .string($0.reference) }, "currency": terms.map { .string($0.currency) },
            "rates": terms.map { terms in
                .object(
                    terms.rates.sorted { $0.key.rawValue < $1.key.rawValue }.map {
                        JSON.Member($0.key.rawValue, .string($0.value.description))
                    })
            },
            "dailyLimit": terms?.dailyLimit.map { .integer($0) },
            "monthlyLimit": terms?.monthlyLimit.map { .integer($0) },
            "dailyLimitPerNumber": terms?.dailyLimitPerNumber.map { .integer($0) },
            "isEnd": .bool(terms == nil), "addedAt": .integer(addedAt.milliseconds),
        ])
    }
}

extension CallbackRecord {
    /// A callback as operators and developers see it: everything but its secrets.
    package var json: JSON {
        .object([
            "url": .string(url), "events": .array(events.map(\.rawValue).sorted().map { .string($0) }),
            "stoppedAt": stoppedAt.map { .integer($0.milliseconds) },
        ])
    }
}
