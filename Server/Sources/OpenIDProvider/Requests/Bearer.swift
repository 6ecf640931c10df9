import Authority

/// RFC 6750 §2.1: how an access token travels.
enum Bearer {
    /// The token of an `Authorization` header; `nil` if it holds none.
    static func token(_ authorization: String?) -> String? {
        let parts = (authorization ?? "").split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }
}
