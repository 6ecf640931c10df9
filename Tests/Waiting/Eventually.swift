package import Testing

/// Waits until `hasHappened`. If that does not come within ``Patience/limit``, the test fails and goes on.
///
/// - Parameter event: the event, as the failure names it: "the request is sent".
package func eventually(
    _ event: String, isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
    _ hasHappened: () async -> Bool
) async {
    do { try await until(isolation: isolation, hasHappened) } catch is CancellationError {} catch {
        Issue.record("waited \(Patience.limit) in vain: \(event)", sourceLocation: sourceLocation)
    }
}
