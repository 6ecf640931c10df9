import AsyncHTTPClient
import BenjiProtocol
import Foundation
import HTTPTypes
import Logging
import Metrics
import NIOCore
import NIOHTTP1
import NIOPosix
package import Requests
import ServerHTTP
import Store
import Synchronization

/// The body of a message to a node.
struct LinkBody: Sendable {
    var bytes: [UInt8]
    var mediaType: String
}

/// Sends a message, reads its answer, and turns whatever happens on the way into a refusal.
extension AuthorityNode {
    private static let timeouts: [HTTPClientError] = [
        .connectTimeout, .tlsHandshakeTimeout, .readTimeout, .deadlineExceeded,
    ]
    /// The errors of a request that waits for a connection, so that none of it was sent.
    private static let unconnected: [HTTPClientError] = [
        .connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout,
    ]

    static func nothing(_ json: JSON) throws(JSONError) { try JSONObjectReader(json).finish() }

    /// Why an exchange brought no answer.
    enum Failure: Error {
        case fault(LinkFault)
        case storeError(StoreError)
        /// The answer to a phone or browser, which says that the node's store cannot be used.
        case unable(ForwardedAnswer)

        /// Whether the failure concerns the node and not the request: another node may serve.
        var isInability: Bool {
            switch self {
            case .fault(let fault): !fault.isAboutMessage
            case .unable: true
            case .storeError(let error): [.unavailable, .keyNotAtHand].contains(error.code)
            }
        }

        /// Whether it is sure that no part of the request was or will be carried out.
        var isUndone: Bool {
            // A store that broke off may have written before.
            if case .fault(let fault) = self { return fault.isUndone }
            return false
        }
    }

    static func refusal(_ failure: Failure) -> Refusal {
        switch failure {
        case .fault(let fault): fault.refusal
        case .storeError, .unable: LinkFault(.unreadable, "an answer to another message").refusal
        }
    }

    /// A question of the gateway's own, its answer unwrapped and read.
    ///
    /// - Parameter at: is given the node's time, if the answer says it.
    func ask<Answer>(
        _ path: LinkPath, _ message: JSON?, at: (Timestamp) -> Void = { _ in },
        _ read: (JSON) throws(JSONError) -> Answer
    ) async throws(Failure) -> Answer {
        let body = message.map { LinkBody(bytes: $0.serialized, mediaType: "application/json") }
        return try await exchange(path, body, at: at) { bytes in
            guard let json = try? JSON(parsing: bytes) else {
                throw LinkFault(.unreadable, "status 200, an answer that is not JSON")
            }
            return try Self.readable { () throws(JSONError) in
                switch try LinkAnswer(json) {
                case .answer(let json): .success(try read(json))
                case .storeError(let error): .failure(.storeError(error))
                }
            }
        }
    }

    /// A request of a phone or browser, and the node's answer to it.
    func forward(_ message: [UInt8], at pace: ForwardedPath.Pace) async throws(Failure) -> ForwardedAnswer {
        let body = LinkBody(bytes: message, mediaType: FramedMessage.mediaType)
        return try await exchange(.forward, body, pace: pace) { bytes in
            let answer = try Self.readable { () throws(JSONError) in try ForwardedAnswer(bytes) }
            return answer.isUnable ? .failure(.unable(answer)) : .success(answer)
        }
    }

    /// One exchange, its answer read.
    private func exchange<Answer>(
        _ path: LinkPath, _ body: LinkBody?, pace: ForwardedPath.Pace = .quick,
        at: (Timestamp) -> Void = { _ in }, _ read: ([UInt8]) throws -> Result<Answer, Failure>
    ) async throws(Failure) -> Answer {
        do {
            switch try read(try await answer(path, body, pace, at: at)) {
            case .success(let answer):
                recover()
                return answer
            case .failure(let failure): throw noted(failure)
            }
        } catch let failure as Failure {
            throw failure
        } catch let fault as LinkFault {
            throw .fault(note(fault))
        } catch let error as HTTPClientError where Self.timeouts.contains(error) {
            throw .fault(
                note(
                    LinkFault(
                        .timedOut, "no answer within \(timeout(at: pace))",
                        isUndone: Self.unconnected.contains(error))))
        } catch {
            // The type is enough: the text may name what must not be logged.
            throw .fault(note(LinkFault(.unreachable, "\(type(of: error))", isUndone: Self.isUnconnected(error))))
        }
    }

    /// Whether there was no connection on which any of the request could have been sent.
    private static func isUnconnected(_ error: any Error) -> Bool {
        if let error = error as? HTTPClientError { return unconnected.contains(error) }
        // A name's addresses were tried; an address was.
        return error is NIOConnectionError || (error as? IOError)?.errnoCode == ECONNREFUSED
    }

    private static func readable<Value>(_ read: () throws(JSONError) -> Value) throws -> Value {
        do { return try read() } catch { throw LinkFault(.unreadable, error.description) }
    }

    /// The body of an answer from a node of the right installation.
    private func answer(
        _ path: LinkPath, _ asked: LinkBody?, _ pace: ForwardedPath.Pace, at: (Timestamp) -> Void
    ) async throws -> [UInt8] {
        let (status, body, origin, time, closes) = try await send(path, asked, pace)
        if let time { at(time) }
        guard status == 200 else {
            guard let failure = try? DeviceFailure(JSON(parsing: body)) else {
                throw LinkFault(.unreadable, "status \(status), an answer that is not a refusal")
            }
            throw LinkFault(status: status, failure)
        }
        isLeaving.store(closes, ordering: .relaxed)
        guard installation.isHeard(origin) else {
            throw LinkFault(
                .otherInstallation,
                origin == nil ? "it does not say which installation it is" : "another one answered first")
        }
        return body
    }

    private typealias Answer = (status: Int, body: [UInt8], installation: String?, time: Timestamp?, closes: Bool)

    /// The answer, whole and in time, or an error.
    private func send(_ path: LinkPath, _ body: LinkBody?, _ pace: ForwardedPath.Pace) async throws -> Answer {
        var request = HTTPClientRequest(url: base + path.rawValue)
        request.tlsConfiguration = tls.current.configuration
        if let body {
            request.method = .POST
            request.headers.add(name: "Content-Type", value: body.mediaType)
            request.body = .bytes(body.bytes)
        }
        let prepared = request
        let timeout = timeout(at: pace)
        let client = pace == .quick ? client : patientClient
        return try await withThrowingTaskGroup(of: Answer.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                let response = try await client.execute(prepared, timeout: TimeAmount(timeout))
                let body = try await response.body.collect(upTo: LinkRules.maximumAnswer)
                return (
                    Int(response.status.code), Array(body.readableBytesView),
                    response.headers.first(name: LinkRules.installationHeader.rawName),
                    response.headers.first(name: LinkRules.timeHeader.rawName).flatMap(Int64.init)
                        .map(Timestamp.init(milliseconds:)),
                    response.headers[canonicalForm: "connection"].contains("close")
                )
            }
            // The client's own deadline ends with the head of the answer.
            group.addTask {
                try await Task.sleep(for: timeout)
                throw LinkFault(.timedOut, "no answer within \(timeout)")
            }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }

    /// An answer that is no yes: the link stands, but the node may be of no use.
    private func noted(_ failure: Failure) -> Failure {
        recover()
        if failure.isInability { answers.record(0) }
        return failure
    }

    private func note(_ new: LinkFault) -> LinkFault {
        guard !Task.isCancelled else { return new }
        Counter(
            label: "benji_link_faults_total", dimensions: [("authority", name), ("reason", new.reason.rawValue)]
        ).increment()
        if new.isAboutMessage { return new }
        answers.record(0)
        if fault.withLock({ reason in
            defer { reason = new.reason }
            return reason != new.reason
        }) {
            logger.error(
                "the authority cannot be asked",
                metadata: ["authority": "\(name)", "reason": "\(new.reason.rawValue)", "detail": "\(new.detail)"])
        }
        return new
    }

    private func recover() {
        answers.record(1)
        if let ended = fault.withLock({ $0.take() }) {
            logger.notice(
                "the authority answers again", metadata: ["authority": "\(name)", "after": "\(ended.rawValue)"])
        }
    }

    /// The last exchange's fault in a few words.
    var lastFault: String {
        if let reason = fault.withLock({ $0 }) { return "link \(reason.rawValue)" }
        if isLeaving.load(ordering: .relaxed) { return Self.leaving }
        return clockText(of: .unfit) ?? "its store cannot be used"
    }
}
