import Authority
import BenjiFaceProtocol
import BenjiProtocol
import HTTPTypes
import Hummingbird
import NIOCore

/// Requests of face login that gateways hand on. Face login needs no sighting, so a gateway states nothing about them
/// but where they came from.
extension LinkEndpoints {
    var faceRoute: EndpointRoute {
        EndpointRoute(.post, LinkPath.face.rawValue) { request, context in
            _ = try await gateway(context)
            let body = try await request.bytes(upTo: LinkFaceCall.maximumLength)
            return try await answer(context) {
                let call = try Self.read(body, LinkFaceCall.init)
                guard let face else {
                    throw Refusal(.faceUnavailable, "face login is off at the authority (face.enabled)")
                }
                return Decision(try await Self.answered(call, by: face))
            }
        }
    }

    /// Every outcome of a phone's request is for the phone. It must not make the gateway doubt the node.
    private static func answered(_ call: LinkFaceCall, by face: any FaceRequestDesk) async throws(Refusal) -> JSON {
        do {
            return try await face.answer(
                call.path, call.request,
                from: RequestSender(peer: call.source.map { Peer(address: $0, port: 0) }, urls: call.urls))
        } catch let refusal as Refusal {
            throw refusal
        } catch let situation as Situation {
            throw Refusal(situation, "")
        } catch {
            throw Refusal(.internalError, "something went wrong on our side")
        }
    }
}

extension LinkFaceCall {
    /// Rebuilds the phone's request.
    fileprivate var request: Request {
        var headers = HTTPFields()
        headers[.contentType] = contentType
        headers[values: .deviceProof] = proofs
        headers[values: .clientAttestation] = attestations
        return Request(
            head: HTTPRequest(
                method: .post, scheme: nil, authority: nil, path: path.rawValue, headerFields: headers),
            body: RequestBody(buffer: ByteBuffer(bytes: body)))
    }
}
