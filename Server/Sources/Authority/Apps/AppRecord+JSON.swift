package import BenjiProtocol
import Crypto
package import Store

extension AppRecord {
    /// An app as operators see it: everything but its keys.
    package func json(_ usages: [AppKeyUsage] = [], now: Timestamp) -> JSON {
        .object([
            "id": .string(id.rawValue), "name": .string(name),
            "keys": .array(keys.map { KeySummary($0, use: $0.use, usages).json }),
            "oneKey": .bool(hasOneKey(at: now)),
            "suspended": .bool(suspended), "allowed": .bool(allowed),
            "deletedAfter": deletedAfter.map { .integer($0.milliseconds) },
            "capabilities": .array(capabilities.map(\.rawValue).sorted().map { .string($0) }),
            "bundles": .array(bundleIDs.map { .string($0) }),
            "serverAddresses": .array(serverAddresses.map { .string($0) }),
            "openIDFromAnywhere": .bool(openIDFromAnywhere),
            "sign": .string(signAlgorithm.rawValue), "hasRSAKey": .bool(rsaPublicKey != nil),
            "rsaKeyDigest": rsaPublicKey.map { .string(Self.digest($0)) },
            "dailyQuota": dailyQuota.map { .integer($0) }, "leastAssurance": .string(leastAssurance.rawValue),
            "workflow": .string(workflow.rawValue),
            "attesters": .array(attesters.map { .string(Self.digest($0)) }),
            "appleTeam": appleTeam.map { .string($0) }, "developmentKeys": .bool(takesDevelopmentKeys),
            "scripLifetime": scripLifetime.map { .integer($0) },
            "tokenLifetime": tokenLifetime.map { .integer($0) },
            "requestTimeTolerance": requestTimeTolerance.map { .integer($0) },
            "numberWithoutPage": .bool(legacyNumberWithoutPage), "phonesWithoutKey": .bool(phonesWithoutKey),
            "unsignedRequests": .bool(unsignedRequests),
            "requiresPageReview": .bool(requiresPageReview),
            "approvedContent": .array(approvedContent.map { .string($0) }),
            "callback": callback?.json,
            "contract": contract.last?.json,
            "sourceIDs": .array(sourceIDs.map { .string($0) }),
            "owner": owner.map { .string($0) }, "createdAt": .integer(createdAt.milliseconds),
        ])
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
