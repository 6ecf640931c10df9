#if canImport(Glibc)
import CMalloc
#endif

/// The treatment of memory that a server frees.
package enum FreedMemory {
    /// Keeps some of it for later use. glibc returns 128 KiB and more to the system at once, which one group of
    /// requests frees and the next needs. By default a redemption took ten page faults, now one in four takes one.
    ///
    /// Each arena keeps up to 8 MiB more. There is one for each of the few busy threads. Call it before the first
    /// thread starts.
    package static func keep() {
        #if canImport(Glibc)
        mallopt(M_TRIM_THRESHOLD, 8 << 20)
        mallopt(M_TOP_PAD, 1 << 20)
        // Setting any of these ends glibc's own choice of this one, so set it too. Larger allocations have pages of
        // their own.
        mallopt(M_MMAP_THRESHOLD, 1 << 20)
        #endif
    }
}
