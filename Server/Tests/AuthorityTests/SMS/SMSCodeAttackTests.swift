import Foundation
import ServerTestKit
import Store
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Requests

/// A service that sends codes, as attacks see it.
private protocol CodeService: Sendable {
    /// - Returns: what the code is known by, and its digits, which the number's holder reads; `nil` if none was sent.
    func send(to number: PhoneNumber, app: Int, source: Int) async -> (id: String, digits: String)?
    /// - Returns: whether they are right; `nil` if that is not told.
    func show(_ digits: String, of id: String, number: PhoneNumber, app: Int, node: Int) async -> Bool?
}

/// Codes by number, without a defence. A code is valid for the number and for any caller, until its time is over. Wrong
/// codes are counted after the comparison, and numbers are limited one by one.
private actor NaiveCodes: CodeService {
    private var codes: [PhoneNumber: [String]] = [:]
    private var wrong: [PhoneNumber: Int] = [:]
    /// So many calls look into the database before one of them writes.
    private let atOnce: Int
    private var looking: [CheckedContinuation<Void, Never>] = []
    private var looked = 0

    init(atOnce: Int) { self.atOnce = atOnce }

    func send(to number: PhoneNumber, app _: Int, source _: Int) async -> (id: String, digits: String)? {
        guard codes[number, default: []].count < 5 else { return nil }
        let digits = SMSCodes.draw(6, SystemRandomSource())
        codes[number, default: []].append(digits)
        return ("", digits)
    }

    func show(_ digits: String, of _: String, number: PhoneNumber, app _: Int, node _: Int) async -> Bool? {
        let count = wrong[number, default: 0]
        guard count < 5 else { return nil }
        // A look into the database, and other processes that look meanwhile.
        looked += 1
        if looked < atOnce {
            await withCheckedContinuation { looking.append($0) }
        } else {
            for call in looking { call.resume() }
            looking = []
        }
        if codes[number, default: []].contains(digits) { return true }
        wrong[number] = count + 1
        return false
    }
}

/// Benji's, at two nodes over one database.
private struct RealCodes: CodeService {
    let world: SMSWorld
    let apps: [AppRecord]
    let nodes: [SMSCodes]

    func send(to number: PhoneNumber, app: Int, source: Int) async -> (id: String, digits: String)? {
        let id = try? await world.send(to: number, app: apps[app], source: "203.0.113.\(source)")
        return id.map { ($0, world.sender.code) }
    }

    func show(_ digits: String, of id: String, number _: PhoneNumber, app: Int, node: Int) async -> Bool? {
        let end = await world.end { () throws(Refusal) in
            try await world.spend(digits, of: id, app: apps[app].id, by: nodes[node])
        }
        return end == .success ? true : end == .codeWrong ? false : nil
    }
}

@Suite("Attacks on SMS codes succeed against a naive service, and not against Benji's")
struct SMSCodeAttackTests {
    /// Runs an attack against both.
    ///
    /// - Parameter atOnce: how many calls of the naive service overlap.
    private func mount(
        atOnce: Int = 1, _ attack: (any CodeService) async throws -> Bool,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(try await attack(NaiveCodes(atOnce: atOnce)), "the attack is none", sourceLocation: sourceLocation)
        try await SMSWorld.visit { world in
            let other = try await world.world.authority.apps.register(Apps.Registration(name: "Other")).record
            try await world.withNode { node in
                let real = RealCodes(
                    world: world, apps: [world.world.app.record, other], nodes: [world.codes, node])
                let succeeds = try await attack(real)
                #expect(!succeeds, sourceLocation: sourceLocation)
            }
        }
    }

    private let number = AuthorityWorld.number

    @Test("a thousand guesses at once, at two nodes, learn more than five times whether they are right")
    func guesses() async throws {
        try await mount(atOnce: 6) { service in
            let sent = try #require(await service.send(to: number, app: 0, source: 0))
            let told = await withTaskGroup(of: Bool?.self) { group in
                for guess in 0..<1000 {
                    let digits = String(String(1_000_000 + guess).suffix(6))
                    guard digits != sent.digits else { continue }
                    group.addTask {
                        await service.show(digits, of: sent.id, number: number, app: 0, node: guess % 2)
                    }
                }
                return await group.reduce(0) { $0 + ($1 == nil ? 0 : 1) }
            }
            return told > 5
        }
    }

    @Test("a thousand numbers of one range, each asked for once and from ever other addresses, are all sent a message")
    func pumping() async throws {
        try await mount { service in
            var sent = 0
            for place in 0..<1000
            where await service.send(
                to: SMSWorld.neighbour(place), app: place % 2, source: place % 200) != nil
            { sent += 1 }
            return sent > 100
        }
    }

    @Test("a person's code for one app, shown by another, is taken")
    func otherApp() async throws {
        try await mount { service in
            let sent = try #require(await service.send(to: number, app: 0, source: 0))
            return await service.show(sent.digits, of: sent.id, number: number, app: 1, node: 0) == true
        }
    }

    @Test("a code that was read over somebody's shoulder is good after the person asked for another")
    func earlierCode() async throws {
        try await mount { service in
            let first = try #require(await service.send(to: number, app: 0, source: 0))
            _ = try #require(await service.send(to: number, app: 0, source: 0))
            return await service.show(first.digits, of: first.id, number: number, app: 0, node: 1) == true
        }
    }

    @Test("a code that was used is good a second time, at another node")
    func replay() async throws {
        try await mount { service in
            let sent = try #require(await service.send(to: number, app: 0, source: 0))
            #expect(await service.show(sent.digits, of: sent.id, number: number, app: 0, node: 0) == true)
            return await service.show(sent.digits, of: sent.id, number: number, app: 0, node: 1) == true
        }
    }
}
