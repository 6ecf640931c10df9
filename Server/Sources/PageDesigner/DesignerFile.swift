import CPageDesigner
import HTTPTypes
import Hummingbird
import NIOCore
import ServerHTTP

/// One of the designer's files, and how it is answered.
struct DesignerFile: Sendable {
    /// Its address below the designer's.
    var name: String
    var bytes: ByteBuffer

    /// Those that are in the program, by name.
    static let all: [String: DesignerFile] = {
        var files: [String: DesignerFile] = [:]
        for number in 0..<page_designer_file_count() {
            let file = page_designer_file(number)
            let name = String(cString: file.name)
            files[name] = DesignerFile(
                name: name, bytes: ByteBuffer(bytes: UnsafeBufferPointer(start: file.bytes, count: file.count)))
        }
        return files
    }()

    /// The designer's scripts, styles and engine are its own files; pictures are those, or what somebody chose on this
    /// machine. Only here may WebAssembly be compiled.
    static let policy =
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob:; connect-src "
        + "'self'; "
        + "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

    private var type: String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "json": "application/json; charset=utf-8"
        case "svg": "image/svg+xml"
        default: "application/wasm"
        }
    }

    var response: Response {
        var response = Response(
            status: .ok, headers: [.contentType: type, .cacheControl: "no-cache"], body: ResponseBody(byteBuffer: bytes)
        )
        // A picture that is opened by itself does nothing.
        response.headers[.contentSecurityPolicy] =
            name.hasSuffix(".svg")
            ? "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'" : Self.policy
        response.headers[.frameOptions] = "DENY"
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "no-referrer"
        return response
    }
}
