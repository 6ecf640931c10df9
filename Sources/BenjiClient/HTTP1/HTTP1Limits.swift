/// How much of an answer is read before it is refused.
package struct HTTP1Limits: Hashable, Sendable {
    /// Status lines, header and trailer fields and chunk extensions of one answer together, interim answers included.
    package var headerBytes: Int
    /// Header and trailer lines of one answer together.
    package var headerCount: Int
    /// The content with its transfer coding taken off.
    package var bodyBytes: Int
    /// Interim (1xx) answers before the final one.
    package var interimResponses: Int

    package init(
        headerBytes: Int = 16 * 1024, headerCount: Int = 100, bodyBytes: Int = 1024 * 1024, interimResponses: Int = 8
    ) {
        self.headerBytes = headerBytes
        self.headerCount = headerCount
        self.bodyBytes = bodyBytes
        self.interimResponses = interimResponses
    }
}
