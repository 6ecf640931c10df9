import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends requests. It does not use `URLSession.data(for:)`, which follows redirects and so hands the secret to another
/// host. On Linux that call also never returns after a 401 that asks for HTTP Basic.
final class Exchanges: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private struct Exchange {
        var data = Data()
        var response: HTTPURLResponse?
        let end: CheckedContinuation<(Data, HTTPURLResponse), any Error>
    }

    private static let shared = Exchanges()
    private static let session = URLSession(configuration: .ephemeral, delegate: shared, delegateQueue: nil)

    private let lock = NSLock()
    /// By the identifiers of their tasks.
    private var open: [Int: Exchange] = [:]

    static func answer(to request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let task = session.dataTask(with: request)
        // On Linux a request's own time-out is not heeded.
        let timer = Task {
            try await Task.sleep(for: .seconds(request.timeoutInterval))
            task.cancel()
        }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await withCheckedThrowingContinuation { end in
                shared.lock.withLock { shared.open[task.taskIdentifier] = Exchange(end: end) }
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
    }

    private func end(_ task: URLSessionTask, _ error: (any Error)?) {
        guard let exchange = lock.withLock({ open.removeValue(forKey: task.taskIdentifier) }) else { return }
        if let response = exchange.response, error == nil {
            exchange.end.resume(returning: (exchange.data, response))
        } else {
            exchange.end.resume(throwing: error ?? URLError(.badServerResponse))
        }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        lock.withLock { open[dataTask.taskIdentifier]?.response = response as? HTTPURLResponse }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        lock.withLock { open[dataTask.taskIdentifier]?.data.append(data) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        end(task, error)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { completionHandler(nil) }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(FoundationNetworking)
        if challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPBasic {
            // The body has arrived in full by now.
            end(task, nil)
            return completionHandler(.cancelAuthenticationChallenge, nil)
        }
        #endif
        completionHandler(.performDefaultHandling, nil)
    }
}
