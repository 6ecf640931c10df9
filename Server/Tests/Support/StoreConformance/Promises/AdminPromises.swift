import BenjiProtocol
import Store

extension StoreConformance {
    static let admins: [StorePromise] = [
        StorePromise("an admin's name and credential are nobody else's, also after they are revoked") { scenario in
            var first = admin("first", credential: 1)
            try await scenario.store.createAdmin(first, audit: nil)
            first.revokedAt = Scenario.now
            try expect(try await scenario.store.updateAdmin(first, audit: nil), is: true, "revoking")
            for taken in [admin("first", credential: 2), admin("second", credential: 1)] {
                try await expectFailure(.alreadyExists, "an admin with \(taken.name)'s name or credential") {
                    try await scenario.store.createAdmin(taken, audit: nil)
                }
            }
            try expect(try await scenario.store.admins(), is: [first], "all admins")
        },
        StorePromise("an admin is found by the credential that counts now, and not by the one before") { scenario in
            var record = admin("ops", credential: 1)
            record.apps = [Scenario.app]
            record.seesNumbers = true
            try await scenario.store.createAdmin(record, audit: nil)
            try await scenario.store.noteAdminUse("ops", day: 20_261_118)
            try await scenario.store.noteAdminUse("ops", day: 20_261_117)
            record.credential = hash(2)
            record.kind = .certificate
            try expect(try await scenario.store.updateAdmin(record, audit: nil), is: true, "a new credential")
            record.lastUsedDay = 20_261_118
            try expect(try await scenario.store.admin(hash(2)), is: record, "by the new credential")
            try expect(try await scenario.store.admin(hash(1)), is: nil, "by the one before")
            try expect(try await scenario.store.admin(named: "ops"), is: record, "by name")
            try expect(try await scenario.store.admin(named: "nobody"), is: nil, "nobody by name")
            let unknown = admin("nobody", credential: 9)
            try expect(try await scenario.store.updateAdmin(unknown, audit: nil), is: false, "changing nobody")
        },
    ]

    private static func hash(_ byte: UInt8) -> CredentialHash {
        CredentialHash(bytes: [UInt8](repeating: byte, count: 32))
    }

    private static func admin(_ name: String, credential byte: UInt8) -> AdminRecord {
        AdminRecord(
            name: name, role: "support", kind: .token, credential: hash(byte), createdAt: Scenario.now,
            expiresAt: Scenario.now + .seconds(86400))
    }
}
