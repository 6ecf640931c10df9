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

    public enum UnsatisfiedReason: Equatable, Sendable {
        case notAvailable, cellularDenied, wifiDenied, localNetworkDenied
    }

    public let status: Status
    public let unsatisfiedReason: UnsatisfiedReason
    public let availableInterfaces: [NWInterface]
    public var localEndpoint: NWEndpoint?

    /// - Parameter required: the requested interface; when the app is denied it, the path states that.
    init(_ interfaces: [NWInterface], required: NWInterface.InterfaceType? = nil) {
        status = interfaces.isEmpty ? .unsatisfied : .satisfied
        let denied = interfaces.isEmpty ? StandInNetwork.shared.denied : []
        unsatisfiedReason =
            switch required {
            case .cellular? where denied.contains(.cellular): .cellularDenied
            case .wifi? where denied.contains(.wifi): .wifiDenied
            default: .notAvailable
            }
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
        NWPath(StandInNetwork.shared.allowed.filter { required == nil || $0.type == required }, required: required)
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
    private var refused: Set<NWInterface.InterfaceType> = []
    private var waiting: [@Sendable () -> Void] = []
    private var address: NWEndpoint.Host = .ipv4(IPv4Address("10.0.0.7"))
    private var reply: @Sendable (Data) -> Data? = { _ in nil }
    private var parameters: [NWParameters] = []

    public var interfaces: [NWInterface] {
        get { lock.withLock { up } }
        set { lock.withLock { up = newValue } }
    }

    /// The interfaces that this app is denied; none at first. Waiting connections are notified when the set changes.
    public var denied: Set<NWInterface.InterfaceType> {
        get { lock.withLock { refused } }
        set {
            let told = lock.withLock {
                refused = newValue
                defer { waiting = [] }
                return waiting
            }
            for tell in told { tell() }
        }
    }

    /// The interfaces that are up and may be used.
    var allowed: [NWInterface] { lock.withLock { up.filter { !refused.contains($0.type) } } }

    /// How many connections wait for an interface.
    public var waitingCount: Int { lock.withLock { waiting.count } }

    func whenChanged(_ tell: @escaping @Sendable () -> Void) { lock.withLock { waiting.append(tell) } }

    /// This end's address of connections.
    public var localAddress: NWEndpoint.Host {
        get { lock.withLock { address } }
        set { lock.withLock { address = newValue } }
    }

    /// The server's reply to the data received so far; `nil` as long as it sends none.
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
