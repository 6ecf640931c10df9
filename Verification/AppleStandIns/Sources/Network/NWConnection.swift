public import Dispatch
public import Foundation

/// A connection to ``StandInNetwork``. Without a suitable interface it waits. Otherwise it is ready, sends data and
/// receives the scripted answer.
public final class NWConnection: @unchecked Sendable {
    public enum State: Equatable, Sendable {
        case setup
        case waiting(NWError)
        case preparing, ready
        case failed(NWError)
        case cancelled
    }

    public final class ContentContext: Sendable {
        public static let defaultMessage = ContentContext()
        public static let finalMessage = ContentContext()
    }

    public enum SendCompletion: Sendable {
        case contentProcessed(@Sendable (NWError?) -> Void)
        case idempotent
    }

    public let parameters: NWParameters
    public let endpoint: NWEndpoint
    public var stateUpdateHandler: (@Sendable (State) -> Void)?
    private var queue = DispatchQueue.global()
    private var sent = Data()
    private var received: Data?
    private var reader: (@Sendable (Data?, ContentContext?, Bool, NWError?) -> Void)?
    private var isReady = false
    private var isCancelled = false

    public init(host: NWEndpoint.Host, port: NWEndpoint.Port, using parameters: NWParameters) {
        endpoint = .hostPort(host: host, port: port)
        self.parameters = parameters
    }

    public var currentPath: NWPath? {
        guard isReady else { return NWPath(usable, required: parameters.requiredInterfaceType) }
        var path = NWPath(usable)
        path.localEndpoint = NWEndpoint.Port(rawValue: 40_000).map {
            .hostPort(host: StandInNetwork.shared.localAddress, port: $0)
        }
        return path
    }

    private var usable: [NWInterface] {
        StandInNetwork.shared.allowed.filter { interface in
            let isAsked =
                parameters.requiredInterfaceType == .other || parameters.requiredInterfaceType == interface.type
            return isAsked && parameters.prohibitedInterfaceTypes?.contains(interface.type) != true
        }
    }

    public func start(queue: DispatchQueue) {
        self.queue = queue
        StandInNetwork.shared.asked.append(parameters)
        queue.async { [self] in look() }
    }

    /// A connection waits until there is a path, and goes on by itself then.
    private func look() {
        guard !isCancelled else { return }
        guard !usable.isEmpty else {
            StandInNetwork.shared.whenChanged { [self] in queue.async { self.look() } }
            return stateUpdateHandler?(.waiting(.posix(.ENETDOWN))) ?? ()
        }
        isReady = true
        stateUpdateHandler?(.ready)
    }

    public func send(
        content: Data?, contentContext: ContentContext = .defaultMessage, isComplete: Bool = true,
        completion: SendCompletion
    ) {
        queue.async { [self] in
            sent += content ?? Data()
            if let answer = StandInNetwork.shared.answer(sent) { received = answer }
            if case .contentProcessed(let done) = completion { done(nil) }
            deliver()
        }
    }

    public func receive(
        minimumIncompleteLength: Int, maximumLength: Int,
        completion: @escaping @Sendable (Data?, ContentContext?, Bool, NWError?) -> Void
    ) {
        queue.async { [self] in
            reader = completion
            deliver()
        }
    }

    private func deliver() {
        guard let reader, let received else { return }
        self.reader = nil
        self.received = nil
        reader(received, .defaultMessage, false, nil)
    }

    public func cancel() {
        queue.async { [self] in
            isCancelled = true
            stateUpdateHandler?(.cancelled)
        }
    }
}
