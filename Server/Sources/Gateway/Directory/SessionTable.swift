import CProcessor

/// Sessions in chunks of fixed size, so that growing copies nothing and leaves nothing half empty.
///
/// They are packed. What only few sessions have is kept beside, by their index.
struct SessionTable: Sendable {
    /// 26 MiB, 13 huge pages of 2 MiB. What of a chunk is not used yet takes no memory.
    static let chunkSize = 1 << 19

    private var chunks: ContiguousArray<ContiguousArray<PackedSession>> = []
    private var freeIndices: ContiguousArray<UInt32> = []
    /// ``Session/doubtedAt`` and ``Session/publicAddress`` where they are not 0.
    private var doubts: [UInt32: UInt32] = [:]
    private var publicAddresses: [UInt32: UInt32] = [:]
    /// Sessions that cannot be packed.
    private var whole: [UInt32: Session] = [:]
    private var bindings = UpperBits()
    private var prefixes = UpperBits()
    private var subscriptions = UpperBits()
    /// One more than the greatest index that was ever used; each below it is a session or free.
    private(set) var end = 0
    private(set) var count = 0

    /// A session as it is stored, for callers that look at many sessions and need little of each.
    private(set) subscript(packed index: Int) -> PackedSession {
        @inline(__always) get { chunks[index / Self.chunkSize][index % Self.chunkSize] }
        set { chunks[index / Self.chunkSize][index % Self.chunkSize] = newValue }
    }

    subscript(index: Int) -> Session {
        get {
            let packed = self[packed: index]
            guard !packed.isFree else { return .free }
            guard packed.beside != 0 else {
                return packed.session(bindings: bindings, prefixes: prefixes, subscriptions: subscriptions)
            }
            let index32 = UInt32(index)
            if packed.beside & PackedSession.Beside.session != 0 { return whole[index32] ?? .free }
            var session = packed.session(bindings: bindings, prefixes: prefixes, subscriptions: subscriptions)
            if packed.beside & PackedSession.Beside.doubt != 0 { session.doubtedAt = doubts[index32] ?? 0 }
            if packed.beside & PackedSession.Beside.publicAddress != 0 {
                session.publicAddress = publicAddresses[index32] ?? 0
            }
            return session
        }
        _modify {
            var session = self[index]
            defer { put(session, at: index) }
            yield &session
        }
        set { put(newValue, at: index) }
    }

    private mutating func put(_ session: Session, at index: Int) {
        guard !session.isFree else {
            clear(index)
            return
        }
        let index32 = UInt32(index)
        let before = self[packed: index].beside
        var beside: UInt8 = 0
        if session.doubtedAt != 0 { beside |= PackedSession.Beside.doubt }
        if session.publicAddress != 0 { beside |= PackedSession.Beside.publicAddress }
        let packed = PackedSession(
            session, beside: beside, bindings: &bindings, prefixes: &prefixes, subscriptions: &subscriptions)
        if packed == nil { beside = PackedSession.Beside.session }
        self[packed: index] = packed ?? PackedSession(standingFor: session)
        guard before | beside != 0 else { return }
        func isBeside(_ bit: UInt8) -> Bool { beside & bit != 0 }
        doubts[index32] = isBeside(PackedSession.Beside.doubt) ? session.doubtedAt : nil
        publicAddresses[index32] = isBeside(PackedSession.Beside.publicAddress) ? session.publicAddress : nil
        whole[index32] = isBeside(PackedSession.Beside.session) ? session : nil
    }

    private mutating func clear(_ index: Int) {
        let index32 = UInt32(index)
        if self[packed: index].beside != 0 {
            (doubts[index32], publicAddresses[index32], whole[index32]) = (nil, nil, nil)
        }
        self[packed: index] = .free
    }

    mutating func insert(_ session: Session) -> Int {
        count += 1
        if let index = freeIndices.popLast() {
            self[Int(index)] = session
            return Int(index)
        }
        if end == chunks.count * Self.chunkSize {
            var chunk = ContiguousArray<PackedSession>()
            chunk.reserveCapacity(Self.chunkSize)
            chunk.withUnsafeMutableBufferPointer {
                HugePages.advise($0.baseAddress, byteCount: Self.chunkSize * MemoryLayout<PackedSession>.stride)
            }
            chunks.append(chunk)
        }
        chunks[chunks.count - 1].append(.free)
        end += 1
        self[end - 1] = session
        return end - 1
    }

    mutating func remove(at index: Int) {
        clear(index)
        freeIndices.append(UInt32(index))
        count -= 1
    }

    /// Bytes that sessions and free entries take.
    var memory: Int {
        // A dictionary's entries fill three quarters of it at most.
        let beside = 8 * (doubts.capacity + publicAddresses.capacity) + 80 * whole.capacity
        return end * MemoryLayout<PackedSession>.stride + freeIndices.capacity * MemoryLayout<UInt32>.stride
            + beside * 4 / 3
    }
}

extension SessionTable {
    // Members for indexes and look-ups, which do not unpack the rest.

    /// Has a session fetched that is asked for soon; all of it, for it may lie across two lines of the processor's
    /// cache.
    func prefetch(_ index: Int) {
        chunks[index / Self.chunkSize].withUnsafeBufferPointer { chunk in
            guard let start = chunk.baseAddress.map({ UnsafeRawPointer($0 + index % Self.chunkSize) }) else { return }
            CProcessor.prefetch(start)
            CProcessor.prefetch(start + MemoryLayout<PackedSession>.size - 1)
        }
    }

    func isFree(_ index: Int) -> Bool { self[packed: index].isFree }
    func key(_ index: Int) -> SessionKey { self[packed: index].key }
    func scope(_ index: Int) -> UInt16 { self[packed: index].scope }
    func address(_ index: Int) -> UInt32 { self[packed: index].address }

    func startedAt(_ index: Int) -> UInt32 {
        let packed = self[packed: index]
        guard packed.beside & PackedSession.Beside.session == 0 else { return self[index].startedAt }
        return packed.startedAt
    }
}
