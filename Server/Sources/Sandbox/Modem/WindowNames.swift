import BenjiClient

/// The names under which a browser sees the sandbox's servers through a phone's windows.
///
/// A browser without a proxy can only be on a phone under an address of the phone's own. Addresses that servers write
/// are changed on the way to the browser. The browser's own are changed back, so that a server sees the same as without
/// the window.
struct WindowNames: Sendable {
    /// Origins without a path.
    struct Pair: Sendable, Equatable {
        var server: String
        var window: String
    }

    let pairs: [Pair]

    /// For the server: `Origin`, `Referer`, and nothing that could be anything but an address.
    func towardsServer(_ headers: HeaderFields) -> HeaderFields {
        HeaderFields(
            headers.fields.map { field in
                switch field.name.lowercased() {
                case "origin", "referer":
                    HeaderFields.Field(field.name, replace(in: field.value, { ($0.window, $0.server) }))
                default: field
                }
            })
    }

    /// For the browser.
    func towardsBrowser(_ headers: HeaderFields) -> HeaderFields {
        HeaderFields(
            headers.fields.map { field in
                switch field.name.lowercased() {
                case "location", "content-location", "content-security-policy", "link", "refresh":
                    HeaderFields.Field(field.name, replace(in: field.value, { ($0.server, $0.window) }))
                default: field
                }
            })
    }

    /// Links of a document. Addresses inside a query are escaped and stay what the servers agreed on.
    func towardsBrowser(_ document: [UInt8]) -> [UInt8] {
        guard let text = String(validating: document, as: UTF8.self) else { return document }
        return Array(replace(in: text, { ($0.server, $0.window) }).utf8)
    }

    private func replace(in text: String, _ way: (Pair) -> (from: String, to: String)) -> String {
        pairs.reduce(text) { text, pair in
            let (from, to) = way(pair)
            let source = Array(text.utf8)
            let sought = Array(from.utf8)
            guard !sought.isEmpty, source.count >= sought.count else { return text }
            var result: [UInt8] = []
            var place = 0
            while place < source.count {
                let end = place + sought.count
                // `http://127.0.0.1:80` is not the beginning of `http://127.0.0.1:8081`.
                if source[place] == sought[0], end <= source.count, source[place..<end].elementsEqual(sought),
                    end == source.count || !(0x30...0x39).contains(source[end])
                {
                    result += to.utf8
                    place = end
                } else {
                    result.append(source[place])
                    place += 1
                }
            }
            return String(decoding: result, as: UTF8.self)
        }
    }
}
