import Authority
import BenjiProtocol
import ServerRuntime

extension ServerConfiguration {
    /// Where apps' callbacks may be.
    mutating func readCallbacks(_ settings: Settings) throws(ConfigurationError) {
        let ports = try settings.numbers("callbacks.ports")
        if !ports.isEmpty { callbacks.ports = Set(ports) }
        callbacks.allowsPlainLoopback = try settings.flag("callbacks.plain-loopback", default: false)
        callbackNetworks = try settings.list("callbacks.allow-networks", "an address or a block", { IPPrefix($0) })
        callbackAuthorityFile = settings.string("callbacks.authorities")
        if callbacks.allowsPlainLoopback {
            process.warnings.append(
                "callbacks.plain-loopback lets apps have this machine call its own services; it is for trying out alone"
            )
        }
        for network in callbackNetworks where network.length == 0 {
            throw ConfigurationError(
                key: "callbacks.allow-networks",
                problem: "\(network) is every address; name the networks in which receivers are")
        }
    }
}
