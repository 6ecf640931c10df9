import BenjiProtocol
import Foundation
import GRDB
import Logging
import ServerTestKit
import Store
import Testing

@testable import StoreConformance
@testable import StoreSQLite

@Suite("What was erased is in no file of the store")
struct ErasedFacesTests {
    private static let mark = Array("a sealed key of ".utf8)

    /// 61 bytes, as a data key is when it is sealed; they say whose they are.
    private static func key(_ number: Int64) -> Sealed {
        let filler = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 61 - mark.count - 8)
        return Sealed(bytes: mark + withUnsafeBytes(of: number.bigEndian, Array.init) + filler)
    }

    /// Returns the accounts whose keys are in the files, in any page or log.
    private static func found(_ path: String) throws -> Set<Int64> {
        var numbers: Set<Int64> = []
        for suffix in ["", "-wal"] {
            let bytes = (try? Data(contentsOf: URL(fileURLWithPath: path + suffix))) ?? Data()
            var rest = bytes.startIndex..<bytes.endIndex
            while let range = bytes.range(of: Data(mark), in: rest) {
                let number = bytes[range.upperBound...].prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
                numbers.insert(number)
                rest = range.upperBound..<bytes.endIndex
            }
        }
        return numbers
    }

    private func record(_ number: Int64) -> FaceAccountRecord {
        FaceAccountRecord(
            subscription: number, epoch: 1, sealedKey: Self.key(number), sealedTemplate: Sealed(bytes: [3]),
            sealedProfile: Sealed(bytes: [4]), terms: "1", simGeneration: 1,
            createdAt: Scenario.now)
    }

    /// Pages of the database are merged and split in as many ways as there are orders.
    @Test(
        "The keys of erased accounts are in no file of the store, whatever order accounts come and go in",
        arguments: [("all before the first goes", 300, 270), ("in turns", 1500, 900)])
    func keys(order: String, count: Int, erased: Int) async throws {
        let place = try TemporaryPlace()
        let store = try SQLiteStore(path: place.path, logger: Logger(label: "test"))
        try store.onWriter("PRAGMA synchronous = OFF")
        var living: [Int64] = []
        var gone: Set<Int64> = []
        var state: UInt64 = 1
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        func enrol() throws {
            let number = Int64(living.count + gone.count + 1)
            let record = record(number)
            #expect(try store.pool.write { try FaceRows.insert(record, $0) } == number)
            living.append(number)
        }
        func erase() throws {
            let number = living.remove(at: next(living.count))
            #expect(try store.pool.write { try FaceErasing.erase(number, telling: nil, $0) })
            gone.insert(number)
        }
        if order == "in turns" {
            for _ in 0..<count {
                try enrol()
                if next(count) < erased { try erase() }
            }
        } else {
            for _ in 0..<count { try enrol() }
            for _ in 0..<erased { try erase() }
        }
        // Runs the steps that the store takes when it is asked to erase.
        _ = try await store.eraseOutdatedFaceAccounts(unboundBefore: Timestamp(milliseconds: 0), limit: 0)
        #expect(try Self.found(place.path) == Set(living), "the living, and nobody else")
        await store.close()
        #expect(try Self.found(place.path) == Set(living), "after closing")
    }

    @Test("An erasure that a reader is in the way of is finished once the reader has gone, by whichever process")
    func reader() async throws {
        let place = try TemporaryPlace()
        let store = try SQLiteStore(path: place.path, logger: Logger(label: "test"))
        let scenario = Scenario(store: store) { store }
        let subscription = try await scenario.subscription()
        var record = scenario.faceAccount(subscription)
        record.sealedKey = Self.key(1)
        guard case .done(let account) = try await store.finishFaceLogin(scenario.faceLogin(.new(record), uid: "u"))
        else {
            Issue.record("nobody was enrolled")
            return
        }
        // A backup, for example.
        let reader = try await OldReader(of: place.path)
        #expect(try await store.eraseFaceAccount(account, revision: nil, at: Scenario.now) == .done)
        #expect(try Self.found(place.path) == [1], "the test has a reader in the way")
        try await reader.end()
        let other = try SQLiteStore(path: place.path, logger: Logger(label: "test"))
        #expect(try await other.eraseOutdatedFaceAccounts(unboundBefore: Timestamp(milliseconds: 0), limit: 9) == 0)
        #expect(try Self.found(place.path) == [])
        await other.close()
        await store.close()
    }
}
