package import BenjiProtocol

/// Keeps the apps that are clients of the OpenID provider, and the images of their pages.
package protocol OpenIDClientStore: Sendable {
    /// Makes the app a client, if the record's revision is 0 and it is none. Otherwise replaces the client, if it is
    /// still at the record's revision. Changes the images of its page in the same step.
    ///
    /// A client that was removed and made again never has a revision that it had before.
    ///
    /// - Parameters:
    ///   - audit: who ordered it.
    ///   - media: images that are added, or take the place of those of the same name. The others stay.
    ///   - removedMedia: names of images that are removed.
    /// - Returns: the record with its new revision.
    /// - Throws: ``StoreError/Code/notFound`` if there is no such app or it is being deleted,
    ///   ``StoreError/Code/outdated`` if the client is at another revision.
    @discardableResult
    func putOpenIDClient(
        _ client: OpenIDClientRecord, media: [OpenIDMedia], removedMedia: [String], audit: AuditEntry?
    ) async throws(StoreError) -> OpenIDClientRecord
    func openIDClient(_ app: AppID) async throws(StoreError) -> OpenIDClientRecord?
    /// The digests of the images of a client's page, by name.
    func openIDMediaDigests(of app: AppID) async throws(StoreError) -> [String: String]
    /// An image that some client's page has.
    func openIDMedia(digest: String) async throws(StoreError) -> OpenIDMedia?
    /// Removes the app's client with its credentials and its page's images. Does nothing if the app is no client.
    func removeOpenIDClient(_ app: AppID, audit: AuditEntry?) async throws(StoreError)
}
