import Glibc

/// Memory in pages of 2 MiB instead of 4 KiB, if the system is set to provide them. Random look-ups then wait for fewer
/// address translations.
enum HugePages {
    /// Asks for them for memory that is used soon. Without them everything works, slower.
    static func advise(_ start: UnsafeMutableRawPointer?, byteCount: Int) {
        guard let start, byteCount >= 1 << 21 else { return }
        let page = 4096
        let begin = (UInt(bitPattern: start) + UInt(page) - 1) / UInt(page) * UInt(page)
        let end = (UInt(bitPattern: start) + UInt(byteCount)) / UInt(page) * UInt(page)
        _ = madvise(UnsafeMutableRawPointer(bitPattern: begin), Int(end - begin), Int32(MADV_HUGEPAGE))
    }
}
