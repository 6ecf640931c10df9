import CLibPQ

/// PostgreSQL's notices on one connection. libpq would print them.
final class Notices {
    /// Whether there was a warning, since this was last set to `false`.
    var hasWarning = false

    /// The connection must not be used after this object has gone.
    func listen(to connection: OpaquePointer) {
        _ = PQsetNoticeReceiver(
            connection,
            { notices, result in
                guard let notices, let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))) else { return }
                // Warnings without a code of their own; others say that nothing had to be done.
                guard String(cString: state) == "01000" else { return }
                Unmanaged<Notices>.fromOpaque(notices).takeUnretainedValue().hasWarning = true
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}
