import Crypto
import Foundation

/// Remembers the frames that were shown, by eight bytes of each hash. These do not reveal the picture.
///
/// No two pictures of a camera are the same, because of its noise. Bounded: the oldest are forgotten first.
struct FrameMemory: Sendable {
    typealias Mark = UInt64

    private var marks: Set<Mark> = []
    private var order: [Mark] = []
    private var oldest = 0
    private let capacity: Int

    init(capacity: Int) { self.capacity = max(capacity, 1) }

    static func mark(_ image: [UInt8]) -> Mark {
        SHA256.hash(data: image).prefix(8).reduce(0) { $0 << 8 | Mark($1) }
    }

    var count: Int { marks.count }

    func contains(_ mark: Mark) -> Bool { marks.contains(mark) }

    mutating func remember(_ mark: Mark) {
        guard marks.insert(mark).inserted else { return }
        if order.count < capacity {
            order.append(mark)
        } else {
            marks.remove(order[oldest])
            order[oldest] = mark
            oldest = (oldest + 1) % capacity
        }
    }
}
