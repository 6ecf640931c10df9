import Authority
import BenjiFaceProtocol
package import BenjiProtocol
import Crypto
import Foundation
import HTTPTypes
import Hummingbird

/// Face login's device side at a gateway: hands each request on as it came, to an authority in other processes, which
/// judges all of it.
///
/// Sessions, app tokens and limits are in the memory of one node. So the requests of one device key go to one node as
/// long as it answers; at the next one the phone begins again.
package struct RemoteFace: Sendable {
    private let authority: RemoteAuthority
    private let clock: any WallClock
    private let requests: ProvenRequests
    private let gate: FrameGate

    /// - Parameters:
    ///   - publicURLs: as of ``DeviceEndpoints``.
    ///   - derivedScheme: as of ``DeviceEndpoints``.
    ///   - frameRequests: requests with frames that are in memory at a time, 6 MiB each.
    package init(
        _ authority: RemoteAuthority, clock: any WallClock = SystemWallClock(), publicURLs: [String],
        derivedScheme: String = "http", frameRequests: Int = 64
    ) {
        self.authority = authority
        self.clock = clock
        gate = FrameGate(limit: frameRequests)
        requests = ProvenRequests(
            sightings: nil, clock: clock, publicURLs: publicURLs, derivedScheme: derivedScheme)
    }

    package var routes: [EndpointRoute] {
        FacePath.allCases.map { path in
            ProvenRequests.route(path.rawValue, clock: clock) { request, context in
                guard path == .frames else { return try await handOn(path, request, context) }
                return try await gate.admit { try await handOn(path, request, context) }
            }
        }
    }

    private func handOn(_ path: FacePath, _ request: Request, _ context: EndpointContext) async throws -> JSON {
        let call = LinkFaceCall(
            path: path, urls: Array(requests.urls(of: path.rawValue, request).prefix(LinkFaceCall.maximumURLs)),
            source: context.peer?.address, contentType: request.headers[.contentType],
            proofs: request.headers[values: .deviceProof], attestations: request.headers[values: .clientAttestation],
            body: try await request.bytes(upTo: path.maximumBody))
        guard let message = call.bytes else { throw Refusal(.malformedRequest, "the headers are too long") }
        do {
            return try await authority.ask(
                .face, LinkBody(bytes: message, mediaType: LinkFaceCall.mediaType), key: Self.key(of: call)
            ) { json throws(JSONError) in json }
        } catch { throw AuthorityNode.refusal(error) }
    }

    /// Chooses the node by the head of the proof, which holds the device key. Nothing is verified here: a caller that
    /// names another device's key reaches its node, and no further.
    static func key(of call: LinkFaceCall) -> UInt64 {
        let head = call.proofs.first?.split(separator: ".").first ?? ""
        return SHA256.hash(data: Data(head.utf8)).withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    }
}
