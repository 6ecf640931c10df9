internal import Crypto
internal import Foundation

/// Remembers that a frame was shown, by eight bytes of its hash: nobody can tell from them what it showed.
///
/// No two pictures of a camera are the same, because of its noise. Bounded: the oldest are forgotten first.
struct FrameMemory: Sendable {
    typealias Mark = UInt64

    private var marks: [Mark: String] = [:]
    private var order: [Mark] = []
    private var oldest = 0
    private let capacity: Int

    init(capacity: Int) { self.capacity = max(capacity, 1) }

    static func mark(_ image: [UInt8]) -> Mark {
        SHA256.hash(data: image).prefix(8).reduce(0) { $0 << 8 | Mark($1) }
    }

    var count: Int { marks.count }

    /// The challenge in which it was shown first.
    func owner(of mark: Mark) -> String? { marks[mark] }

    mutating func remember(_ mark: Mark, in challenge: String) {
        guard marks.updateValue(challenge, forKey: mark) == nil else { return }
        if order.count < capacity {
            order.append(mark)
        } else {
            marks[order[oldest]] = nil
            order[oldest] = mark
            oldest = (oldest + 1) % capacity
        }
    }
}
