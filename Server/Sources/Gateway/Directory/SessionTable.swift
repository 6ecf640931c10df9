/// Sessions in chunks of fixed size, so that growing copies nothing and leaves nothing half empty.
struct SessionTable: Sendable {
    static let chunkSize = 1024

    private var chunks: ContiguousArray<ContiguousArray<Session>> = []
    private var freePlaces: ContiguousArray<UInt32> = []
    /// Places ever used; each below is a session or free.
    private(set) var end = 0
    private(set) var count = 0

    subscript(index: Int) -> Session {
        get { chunks[index / Self.chunkSize][index % Self.chunkSize] }
        _modify { yield &chunks[index / Self.chunkSize][index % Self.chunkSize] }
    }

    mutating func insert(_ session: Session) -> Int {
        count += 1
        if let index = freePlaces.popLast() {
            self[Int(index)] = session
            return Int(index)
        }
        if end == chunks.count * Self.chunkSize {
            chunks.append(ContiguousArray(repeating: .free, count: Self.chunkSize))
        }
        end += 1
        self[end - 1] = session
        return end - 1
    }

    mutating func remove(at index: Int) {
        self[index] = .free
        freePlaces.append(UInt32(index))
        count -= 1
    }

    /// Bytes that sessions and free places take.
    var memory: Int {
        chunks.count * Self.chunkSize * MemoryLayout<Session>.stride + freePlaces.capacity * MemoryLayout<UInt32>.stride
    }
}
