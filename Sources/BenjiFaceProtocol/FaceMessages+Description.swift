import BenjiProtocol

// Messages of face login hold credentials, pictures and what people are called: what prints them names the kind of
// message and nothing else.

/// Prints its type's name, and has a mirror without children.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    public var description: String { String(describing: Self.self) }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension FaceAppTokenRequest: Redacted {}
extension FaceAppTokenResponse: Redacted {}
extension FaceIdentity: Redacted {}
extension FaceBeginRequest: Redacted {}
extension FaceBeginResponse: Redacted {}
extension FaceConsentRequest: Redacted {}
extension FaceChallengeRequest: Redacted {}
extension FaceChallengeResponse: Redacted {}
extension FaceFramesRequest: Redacted {}
extension FaceFramesResponse: Redacted {}
extension FaceAttributeValues: Redacted {}
extension FaceUserInfo: Redacted {}
extension FaceFinishRequest: Redacted {}
extension FaceGrant: Redacted {}
extension FaceFinishResponse: Redacted {}
extension FaceAccessRequest: Redacted {}
extension FaceConfirmedRequest: Redacted {}
extension FaceRenewRequest: Redacted {}
extension FaceRenewResponse: Redacted {}
extension FaceUpdateUIDRequest: Redacted {}
extension FaceUpdateUserInfoRequest: Redacted {}
extension FaceStateRequest: Redacted {}
extension FaceSearchBeginRequest: Redacted {}
extension FaceSearchBeginResponse: Redacted {}
extension FaceSearchRequest: Redacted {}
extension FaceSearchResponse: Redacted {}
extension FaceUserResponse: Redacted {}
extension FaceFramesRequest.Frame: Redacted {}
