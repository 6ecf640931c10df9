@_exported import Dispatch
@_exported import Foundation

public struct NWInterface: Hashable, Sendable {
    public enum InterfaceType: Hashable, Sendable { case other, wifi, cellular, wiredEthernet, loopback }

    public let type: InterfaceType
    public let name: String

    /// Test hook.
    public init(standIn type: InterfaceType, name: String) {
        self.type = type
        self.name = name
    }
}

public struct NWPath: Equatable, Sendable {
    public enum Status: Equatable, Sendable { case satisfied, unsatisfied, requiresConnection }

    public let status: Status
    public let availableInterfaces: [NWInterface]
    public var localEndpoint: NWEndpoint?

    init(_ interfaces: [NWInterface]) {
        status = interfaces.isEmpty ? .unsatisfied : .satisfied
        availableInterfaces = interfaces
    }

    public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool {
        availableInterfaces.contains { $0.type == type }
    }
}

/// Says once how things are, as soon as it is started.
public final class NWPathMonitor: @unchecked Sendable {
    private let required: NWInterface.InterfaceType?
    public var pathUpdateHandler: (@Sendable (NWPath) -> Void)?

    public init() { required = nil }
    public init(requiredInterfaceType: NWInterface.InterfaceType) { required = requiredInterfaceType }

    public var currentPath: NWPath {
        NWPath(StandInNetwork.shared.interfaces.filter { required == nil || $0.type == required })
    }

    public func start(queue: DispatchQueue) {
        let handler = pathUpdateHandler
        let path = currentPath
        queue.async { handler?(path) }
    }

    public func cancel() {}
}

/// Test hook: which interfaces are up, and what a server answers.
public final class StandInNetwork: @unchecked Sendable {
    public static let shared = StandInNetwork()

    private let lock = NSLock()
    private var up: [NWInterface] = []
    private var address: NWEndpoint.Host = .ipv4(IPv4Address("10.0.0.7"))
    private var reply: @Sendable (Data) -> Data? = { _ in nil }
    private var parameters: [NWParameters] = []

    public var interfaces: [NWInterface] {
        get { lock.withLock { up } }
        set { lock.withLock { up = newValue } }
    }

    /// This end's address of connections.
    public var localAddress: NWEndpoint.Host {
        get { lock.withLock { address } }
        set { lock.withLock { address = newValue } }
    }

    /// What a server says to what it has received so far; `nil` as long as it says nothing.
    public var answer: @Sendable (Data) -> Data? {
        get { lock.withLock { reply } }
        set { lock.withLock { reply = newValue } }
    }

    /// How connections were asked for, in order.
    public var asked: [NWParameters] {
        get { lock.withLock { parameters } }
        set { lock.withLock { parameters = newValue } }
    }
}
