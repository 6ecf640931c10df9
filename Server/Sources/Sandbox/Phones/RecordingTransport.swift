import BenjiClient
package import BenjiProtocol
import Foundation

/// Remembers every secret that crosses a transport, so that a check can look for them where they must not be.
package final class SecretsList: @unchecked Sendable {
    // Sound: every access to `values` is inside `lock`.
    private let lock = NSLock()
    private var values: [String: Set<String>] = [:]

    package init() {}

    /// - Parameter kind: "number", "imsi", "credential" or "key".
    package func add(_ kind: String, _ value: String) {
        guard !value.isEmpty else { return }
        _ = lock.withLock { values[kind, default: []].insert(value) }
    }

    /// All of them by kind.
    package var json: JSON {
        .object(
            lock.withLock { values }.sorted { $0.key < $1.key }.map { kind, values in
                JSON.Member(kind, .array(values.sorted().map { .string($0) }))
            })
    }

    /// Adds what a message holds under the names that the dialects give to secrets.
    func read(_ body: [UInt8]) {
        guard let json = try? JSON(parsing: body) else { return }
        walk(json)
    }

    private func walk(_ json: JSON) {
        switch json {
        case .object(let members):
            for member in members {
                switch (member.name, member.value) {
                case ("token", .string(let text)), ("accesscode", .string(let text)), ("scrip", .string(let text)),
                    ("phoneNum", .string(let text)),
                    ("sign", .string(let text)), ("appKeyProof", .string(let text)), ("nonce", .string(let text)):
                    add("credential", text)
                case ("msisdn", .string(let text)): add("number", text)
                default: walk(member.value)
                }
            }
        case .array(let values): for value in values { walk(value) }
        default: return
        }
    }
}

/// A transport that records passing secrets in a ``SecretsList``.
struct RecordingTransport: Transport {
    let base: any Transport
    let secrets: SecretsList

    func localAddress(towards server: ServerURL) async throws(TransportError) -> InternetAddress? {
        try await base.localAddress(towards: server)
    }

    func send(_ request: TransportRequest, timeout: Duration) async throws(TransportError) -> TransportResponse {
        secrets.read(request.body)
        for name in [DeviceProof.headerName, ClientAttestation.headerName] {
            secrets.add("credential", request.headers[name] ?? "")
        }
        let response = try await base.send(request, timeout: timeout)
        secrets.read(response.body)
        return response
    }
}
