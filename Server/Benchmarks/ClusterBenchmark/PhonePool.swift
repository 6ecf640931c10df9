import BenchmarkPhones
import BenchmarkSupport
@_spi(Server) import BenjiProtocol
import Foundation
import RADIUS

/// Phones that log in at one cluster after the other: always the same, with device keys of their own.
struct PhonePool {
    enum Step: String, CaseIterable { case prefetch, authorize, redeem }

    private let phones: [SigningPhone]

    init(_ count: Int) throws {
        phones = try (0..<count).map { index in
            SigningPhone(at: try Subscribers.address(index), number: PhoneNumber("\(Subscribers.number(index))")!)
        }
    }

    /// Announces all of them to a cluster's gateway.
    func attach(to cluster: Cluster) throws {
        var subscribers = try Subscribers(count: phones.count, port: cluster.accounting)
        _ = try subscribers.say(.start)
    }

    /// Everybody logs in once; what phones sign is signed before the clock runs, and everybody takes a step before
    /// anybody takes the next. Phones make a connection for each request, the app's server has kept ones to all nodes.
    /// - Parameters:
    ///   - connections: at once, each with one request under way.
    ///   - rate: how many take a step a second; `nil` for as many as are answered.
    ///   - some: how many log in; `nil` for all.
    func logIn(
        at cluster: Cluster, connections: Int, perSecond rate: Double? = nil, only some: Int? = nil
    ) throws -> [Step: Cost] {
        let phones = phones.prefix(some ?? phones.count)
        let device = HTTPLoad(port: cluster.device, connections: connections)
        let server = HTTPLoad(ports: cluster.servers, connections: connections)
        var costs: [Step: Cost] = [:]

        func take(_ step: Step, _ load: HTTPLoad, _ requests: [HTTPLoad.Request]) throws -> [[UInt8]] {
            var answers: [[UInt8]] = []
            costs[step] = try Cost(of: requests.count, at: cluster) {
                try BenchmarkSupport.seconds { answers = try load.exchange(requests, perSecond: rate) }
            }
            return answers
        }

        let offers = try take(.prefetch, device, phones.map { try $0.prefetch(cluster.app, at: cluster.deviceURL) })
            .map { try PrefetchResponse(JSON(parsing: $0)) }
        let tokens = try take(
            .authorize, device,
            zip(phones, offers).map { try $0.authorize(cluster.app, $1, at: cluster.deviceURL) }
        ).map { try AuthorizeResponse(JSON(parsing: $0)).token }
        try server.open()
        let answers = try take(.redeem, server, tokens.map(cluster.app.redemption))
        guard try answers.map(AppIdentity.number) == phones.map(\.number) else {
            throw BenchmarkFailure("a phone is taken for another")
        }
        return costs
    }
}
