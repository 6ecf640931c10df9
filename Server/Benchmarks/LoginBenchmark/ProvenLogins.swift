import AppAttestModel
import BenchmarkSupport
import BenjiProtocol
import Foundation
import Sandbox

/// Logins with proofs that not every app requires, compared with logins without. The proofs are keys of App Attest, and
/// tokens bound to a key of the client's (DPoP, RFC 9449). All are at one server, from the same addresses, one kind
/// after the other in each round.
struct ProvenLogins {
    enum Kind: String, CaseIterable {
        case plain = "a login"
        case attested = "a login with App Attest"
        case openID = "a login over OpenID Connect"
        case bound = "a login over OpenID Connect with DPoP"
    }

    /// The comparisons: with a proof, without it, and the row that shows the difference.
    static let comparisons: [(with: Kind, without: Kind, name: String)] = [
        (.attested, .plain, "App Attest costs a login"), (.bound, .openID, "DPoP costs a login over OpenID Connect"),
    ]
    private static let team = "A1B2C3D4E5"

    private let installation: Installation
    private let streets: [Kind: Street]
    private let browsers: [Kind: OpenIDStreet]
    private let phones: Int

    init(in scratch: Scratch, benji: String?, core: Int, phones: Int, lanes: Int) async throws {
        let apple = try ModelAuthority(at: SystemWallClock().now)
        let root = scratch.path + "/root.pem"
        try apple.rootPEM.write(toFile: root, atomically: true, encoding: .utf8)
        let installation = try Installation(
            in: scratch.path, program: benji, speaksOpenID: true, more: "attestation: {apple-roots: \(root)}")
        let app = try installation.createApp()
        try installation.setAppleTeam(of: app.id, to: Self.team)
        let secret = try installation.setOpenID(of: app.id, redirectURI: OpenIDStreet.callback)
        try installation.start(core: core)
        self.installation = installation
        self.phones = phones
        let plain = try await Street(installation, app: app, phones: phones, lanes: lanes)
        let attested = try await Street(installation, app: app, phones: phones, lanes: lanes) {
            ModelChip(by: apple, team: Self.team, bundleID: Installation.bundle)
        }
        streets = [.plain: plain, .attested: attested]
        var browsers: [Kind: OpenIDStreet] = [:]
        for kind in [Kind.openID, .bound] {
            browsers[kind] = try OpenIDStreet(
                installation, client: (app.id, secret), phones: phones, lanes: lanes, isBound: kind == .bound)
        }
        self.browsers = browsers
        // Everybody once: then keys are registered and the server's code is warm.
        _ = try await measure(round: 0)
    }

    /// Microseconds of processor time of the server for a login, accounting included. The order turns with the rounds.
    func measure(round: Int) async throws -> [Kind: Double] {
        var times: [Kind: Double] = [:]
        for place in Kind.allCases.indices {
            let kind = Kind.allCases[(place + round) % Kind.allCases.count]
            let before = try installation.processorTime
            if let street = streets[kind] {
                for step in Street.Step.login { try await street.take(step) }
                times[kind] = (try installation.processorTime - before) / Double(phones) * 1e6
                try await street.take(.stop)
            } else if let browsers = browsers[kind], let street = streets[.plain] {
                try await street.take(.start)
                try await browsers.logIn()
                times[kind] = (try installation.processorTime - before) / Double(phones) * 1e6
                try await street.take(.stop)
            }
        }
        return times
    }

    /// Each kind, and what a proof costs: the difference of one round, over all rounds.
    static func rows(_ times: [Kind: [Double]]) -> [BenchmarkResult.Row] {
        let kinds = Kind.allCases.filter { $0 != .plain }
        return kinds.map { kind in
            BenchmarkResult.Row(
                kind.rawValue, Figures(times[kind] ?? [0]), unit: "µs", note: "processor time of the server")
        }
            + comparisons.map { with, without, name in
                let differences = zip(times[with] ?? [], times[without] ?? []).map { $0 - $1 }
                return BenchmarkResult.Row(
                    name, Figures(differences.isEmpty ? [0] : differences), unit: "µs", note: "aim: at most 200")
            }
    }
}
