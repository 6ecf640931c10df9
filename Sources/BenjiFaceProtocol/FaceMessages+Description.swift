import BenjiProtocol

// Messages of face login hold credentials, pictures and what people are called: what prints them names the kind of
// message and nothing else.

/// Prints its type's name, and has a mirror without children.
public protocol PrintsItsNameOnly: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension PrintsItsNameOnly {
    public var description: String { String(describing: Self.self) }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension FaceAppTokenRequest: PrintsItsNameOnly {}
extension FaceAppTokenResponse: PrintsItsNameOnly {}
extension FaceIdentity: PrintsItsNameOnly {}
extension FaceBeginRequest: PrintsItsNameOnly {}
extension FaceBeginResponse: PrintsItsNameOnly {}
extension FaceConsentRequest: PrintsItsNameOnly {}
extension FaceChallengeRequest: PrintsItsNameOnly {}
extension FaceChallengeResponse: PrintsItsNameOnly {}
extension FaceFramesRequest: PrintsItsNameOnly {}
extension FaceFramesResponse: PrintsItsNameOnly {}
extension FaceAttributeValues: PrintsItsNameOnly {}
extension FaceUserInfo: PrintsItsNameOnly {}
extension FaceFinishRequest: PrintsItsNameOnly {}
extension FaceGrant: PrintsItsNameOnly {}
extension FaceFinishResponse: PrintsItsNameOnly {}
extension FaceAccessRequest: PrintsItsNameOnly {}
extension FaceConfirmedRequest: PrintsItsNameOnly {}
extension FaceRenewRequest: PrintsItsNameOnly {}
extension FaceRenewResponse: PrintsItsNameOnly {}
extension FaceUpdateUIDRequest: PrintsItsNameOnly {}
extension FaceUpdateUserInfoRequest: PrintsItsNameOnly {}
extension FaceStateRequest: PrintsItsNameOnly {}
extension FaceSearchBeginRequest: PrintsItsNameOnly {}
extension FaceSearchBeginResponse: PrintsItsNameOnly {}
extension FaceSearchRequest: PrintsItsNameOnly {}
extension FaceSearchResponse: PrintsItsNameOnly {}
extension FaceUserResponse: PrintsItsNameOnly {}
extension FaceFramesRequest.Frame: PrintsItsNameOnly {}
