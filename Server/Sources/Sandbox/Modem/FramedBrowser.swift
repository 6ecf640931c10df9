import BenjiClient
import Synchronization

/// The browser of a drawn phone, whose pages stand in a frame of the sandbox's page.
///
/// Servers refuse to be framed, and browsers keep no cookies for a frame of another site. So this keeps the cookies,
/// and lets the sandbox's page be the frame's. To servers it looks like the window of a phone's browser, and all else
/// is theirs.
final class FramedBrowser: Sendable {
    /// The pages that may show the frame: those of this machine, as the sandbox's is.
    static let ancestors = "http://127.0.0.1:* http://localhost:*"
    /// The oldest of more is forgotten.
    private static let maximumCookies = 64

    private let cookies = Mutex<[(name: String, value: String)]>([])

    func towardsServer(_ headers: HeaderFields) -> HeaderFields {
        var headers = headers
        let kept = cookies.withLock { $0 }
        headers["Cookie"] = kept.isEmpty ? nil : kept.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
        if headers["Sec-Fetch-Dest"] == "iframe" { headers["Sec-Fetch-Dest"] = "document" }
        return headers
    }

    func towardsBrowser(_ headers: HeaderFields) -> HeaderFields {
        for line in headers.values("Set-Cookie") { keep(line) }
        var headers = headers
        headers["Set-Cookie"] = nil
        headers["X-Frame-Options"] = nil
        return HeaderFields(
            headers.fields.map { field in
                field.name.lowercased() == "content-security-policy"
                    ? HeaderFields.Field(field.name, Self.framed(field.value)) : field
            })
    }

    /// Only `Max-Age` ends a cookie here, and each is for every path: no server of the sandbox does it otherwise.
    private func keep(_ line: String) {
        let parts = line.split(separator: ";").map { $0.drop { $0 == " " } }
        guard let first = parts.first, let middle = first.firstIndex(of: "=") else { return }
        let name = String(first[..<middle])
        let isOver = parts.dropFirst().contains { $0.lowercased() == "max-age=0" }
        cookies.withLock { cookies in
            cookies.removeAll { $0.name == name }
            if !isOver { cookies.append((name, String(first[first.index(after: middle)...]))) }
            if cookies.count > Self.maximumCookies { cookies.removeFirst() }
        }
    }

    private static func framed(_ policy: String) -> String {
        policy.split(separator: ";").map { directive in
            directive.drop { $0 == " " }.hasPrefix("frame-ancestors ")
                ? " frame-ancestors \(ancestors)" : String(directive)
        }.joined(separator: ";")
    }
}
