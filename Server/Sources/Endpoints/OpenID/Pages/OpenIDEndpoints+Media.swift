import BenjiProtocol
import HTTPTypes
import Hummingbird
import NIOCore
import OpenIDProvider
import ServerHTTP
import Store

/// The images and videos of apps' pages, from the pages' own host.
extension OpenIDEndpoints {
    func media(_ request: Request, _ context: EndpointContext) async throws -> Response {
        let digest = context.parameters.get("digest") ?? ""
        let found: OpenIDMedia?
        do {
            found = OpenIDMedia.isDigest(digest) ? try await service.media(digest: digest) : nil
        } catch {
            throw error.error == .temporarilyUnavailable ? Situation.storeUnavailable : .internalError
        }
        guard let found else { throw Situation.notFound }
        var response = Response(
            status: .ok,
            headers: [
                // The address is the content's digest, so it can be cached for good.
                .contentType: found.type, .cacheControl: "public, max-age=31536000, immutable", .acceptRanges: "bytes",
                .contentSecurityPolicy: "default-src 'none'; sandbox; frame-ancestors 'none'",
                .xContentTypeOptions: "nosniff", .referrerPolicy: "no-referrer", .frameOptions: "DENY",
                .resourcePolicy: "same-origin",
            ])
        var content = found.content[...]
        // No answer of ours has a validator that If-Range could name.
        let wanted = request.headers[.ifRange] == nil ? request.headers[.range] : nil
        switch ByteRange(wanted, of: content.count) {
        case .whole: break
        case .part(let range):
            response.status = .partialContent
            response.headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(content.count)"
            content = content[range]
        case .unsatisfiable:
            context.outcome.note(code: Situation.parameterInvalid.rawValue)
            return Response(
                status: .rangeNotSatisfiable,
                headers: [.contentRange: "bytes */\(content.count)", .cacheControl: "no-store"])
        }
        context.outcome.note(code: Situation.success.rawValue)
        response.body = ResponseBody(byteBuffer: ByteBuffer(bytes: content))
        return response
    }
}
