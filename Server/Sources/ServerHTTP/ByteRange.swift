/// The part of a content that a request's `Range` asks for (RFC 9110 §14).
///
/// Browsers ask for videos in parts, and Safari plays none that does not come so.
package enum ByteRange: Hashable {
    /// Everything: nothing else is asked for, or it is asked for in a way that may be ignored.
    case whole
    case part(Range<Int>)
    /// A part that there is not.
    case unsatisfiable

    /// - Parameters:
    ///   - header: `bytes=0-99`, `bytes=100-`, `bytes=-100`; of several ranges none is heeded.
    ///   - count: of the content's bytes.
    package init(_ header: String?, of count: Int) {
        self = .whole
        guard let header, header.lowercased().hasPrefix("bytes=") else { return }
        let ends = header.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else { return }
        switch (Int(ends[0]), Int(ends[1])) {
        case (nil, let last?) where ends[0].isEmpty:
            self = last > 0 && count > 0 ? .part(max(0, count - last)..<count) : .unsatisfiable
        case (let first?, nil) where ends[1].isEmpty:
            self = first < count ? .part(first..<count) : .unsatisfiable
        case (let first?, let last?) where first <= last:
            self = first < count ? .part(first..<min(last, count - 1) + 1) : .unsatisfiable
        default: break
        }
    }
}
