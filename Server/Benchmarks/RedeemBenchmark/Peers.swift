import ArgumentParser

/// Servers that do the same work.
enum Peer: String, CaseIterable { case redis, postgresql, glewlwyd }

/// Some of them, by name.
struct Peers: ExpressibleByArgument, CustomStringConvertible {
    var list = Peer.allCases
    var description: String { list.map(\.rawValue).joined(separator: ",") }

    init() {}

    init?(argument: String) {
        let names = argument.split(separator: ",")
        list = names.compactMap { Peer(rawValue: String($0)) }
        guard list.count == names.count else { return nil }
    }
}
