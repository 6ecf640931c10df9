package import BenjiProtocol
package import HTTPTypes
import Hummingbird
import NIOCore
package import Requests

extension Response {
    /// A JSON answer that nothing on the way may keep: it may hold a token, a number, or say who is asking.
    package init(_ json: JSON, status: HTTPResponse.Status = .ok) {
        self.init(
            status: status, headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: json.serialized)))
    }

    /// A refusal of the device dialect, which also speaks for listeners and addresses without a dialect of their own.
    package init(_ refusal: Refusal) {
        self.init(DeviceFailure(refusal).json, status: refusal.situation.httpStatus)
        if status == .unauthorized { headers[.wwwAuthenticate] = #"DPoP algs="ES256""# }
        if status == .tooManyRequests || status == .serviceUnavailable { headers[.retryAfter] = "1" }
    }
}
