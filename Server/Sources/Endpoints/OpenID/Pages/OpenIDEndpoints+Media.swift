internal import Authority
internal import BenjiProtocol
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Store

/// The images of apps' pages, from the pages' own host.
extension OpenIDEndpoints {
    func media(_ request: Request, _ context: EndpointContext) async throws -> Response {
        let digest = context.parameters.get("digest") ?? ""
        let found: (type: String, content: [UInt8])?
        do {
            found = try await provider.media(digest: digest).map { ($0.type, $0.content) }
        } catch {
            throw error.error == .temporarilyUnavailable ? Situation.storeUnavailable : .internalError
        }
        guard let found else { throw Situation.notFound }
        context.outcome.note(code: Situation.success.rawValue)
        return Response(
            status: .ok,
            headers: [
                // What has another content has another address.
                .contentType: found.type, .cacheControl: "public, max-age=31536000, immutable",
                .contentSecurityPolicy: "default-src 'none'; sandbox; frame-ancestors 'none'",
                .xContentTypeOptions: "nosniff", .referrerPolicy: "no-referrer", .frameOptions: "DENY",
                .resourcePolicy: "same-origin",
            ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: found.content)))
    }
}
