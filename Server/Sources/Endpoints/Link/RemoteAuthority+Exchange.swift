import AsyncHTTPClient
import Authority
import BenjiProtocol
import Logging
import Metrics
import NIOCore
import NIOHTTP1
import Store
import Synchronization

/// Sends a message, reads its answer, and turns whatever happens on the way into a refusal.
extension RemoteAuthority {
    private static let timeouts: [HTTPClientError] = [.connectTimeout, .readTimeout, .deadlineExceeded]

    static func nothing(_ json: JSON) throws(JSONError) { try JSONObjectReader(json).finish() }

    /// Why an exchange brought no answer.
    enum Failure: Error {
        case fault(LinkFault)
        case refusal(Refusal)
        case storeError(StoreError)
    }

    static func refusal(_ failure: Failure) -> Refusal {
        switch failure {
        case .fault(let fault): fault.refusal
        case .refusal(let refusal): refusal
        case .storeError: LinkFault(.unreadable, "a phone's request was answered with a store error").refusal
        }
    }

    func call<Answer>(
        _ path: LinkPath, _ request: JSON, _ device: DeviceCall, _ read: (JSON) throws(JSONError) -> Answer
    ) async throws(Refusal) -> Answer {
        do { return try await ask(path, LinkCall(request: request, device: device).json, read) } catch {
            throw Self.refusal(error)
        }
    }

    func register<Answer>(
        _ path: LinkPath, _ message: JSON?, _ read: (JSON) throws(JSONError) -> Answer
    ) async throws(StoreError) -> Answer {
        do { return try await ask(path, message, read) } catch {
            switch error {
            case .fault(let fault): throw fault.storeError
            case .storeError(let error): throw error
            case .refusal(let refusal):
                throw StoreError(.unavailable, "the authority refused: \(refusal.situation.rawValue)")
            }
        }
    }

    /// One exchange, its answer unwrapped and read.
    func ask<Answer>(
        _ path: LinkPath, _ message: JSON?, _ read: (JSON) throws(JSONError) -> Answer
    ) async throws(Failure) -> Answer {
        do {
            switch try await exchange(path, message) {
            case .answer(let json):
                let answer = try Self.readable { () throws(JSONError) in try read(json) }
                recover()
                return answer
            case .refusal(let failure):
                recover()
                throw Failure.refusal(Refusal(failure))
            case .storeError(let error):
                recover()
                throw Failure.storeError(error)
            }
        } catch let failure as Failure {
            throw failure
        } catch let fault as LinkFault {
            throw .fault(note(fault))
        } catch let error as HTTPClientError where Self.timeouts.contains(error) {
            throw .fault(note(LinkFault(.timedOut, "no answer within \(timeout)")))
        } catch {
            // The type is enough: the text may name what must not be logged.
            throw .fault(note(LinkFault(.unreachable, "\(type(of: error))")))
        }
    }

    private static func readable<Value>(_ read: () throws(JSONError) -> Value) throws -> Value {
        do { return try read() } catch { throw LinkFault(.unreadable, error.description) }
    }

    private func exchange(_ path: LinkPath, _ message: JSON?) async throws -> LinkAnswer {
        let (status, body) = try await send(path, message)
        guard let json = try? JSON(parsing: body) else {
            throw LinkFault(.unreadable, "status \(status), an answer that is not JSON")
        }
        guard status == 200 else {
            guard let failure = try? DeviceFailure(json) else {
                throw LinkFault(.unreadable, "status \(status), an answer that is not a refusal")
            }
            throw LinkFault(status: status, failure)
        }
        return try Self.readable { () throws(JSONError) in try LinkAnswer(json) }
    }

    /// Status and body of the answer, whole and in time, or an error.
    private func send(_ path: LinkPath, _ message: JSON?) async throws -> (status: Int, body: [UInt8]) {
        var request = HTTPClientRequest(url: base + path.rawValue)
        request.tlsConfiguration = tls.current.configuration
        if let message {
            request.method = .POST
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(message.serialized)
        }
        let prepared = request
        return try await withThrowingTaskGroup(of: (status: Int, body: [UInt8]).self) { group in
            defer { group.cancelAll() }
            group.addTask { [client, timeout] in
                let response = try await client.execute(prepared, timeout: TimeAmount(timeout))
                let body = try await response.body.collect(upTo: Self.maximumAnswer)
                return (Int(response.status.code), Array(body.readableBytesView))
            }
            // The client's own deadline ends with the head of the answer.
            group.addTask { [timeout] in
                try await Task.sleep(for: timeout)
                throw LinkFault(.timedOut, "no answer within \(timeout)")
            }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }

    private func note(_ new: LinkFault) -> LinkFault {
        Counter(label: "benji_link_faults_total", dimensions: [("reason", new.reason.rawValue)]).increment()
        if fault.withLock({ reason in
            defer { reason = new.reason }
            return reason != new.reason
        }) {
            logger.error(
                "the authority cannot be asked; phones are refused and accounting is not answered",
                metadata: ["reason": "\(new.reason.rawValue)", "detail": "\(new.detail)"])
        }
        return new
    }

    private func recover() {
        if let ended = fault.withLock({ $0.take() }) {
            logger.notice("the authority answers again", metadata: ["after": "\(ended.rawValue)"])
        }
    }
}
