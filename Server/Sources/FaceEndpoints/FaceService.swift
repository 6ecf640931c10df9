package import BenjiFaceProtocol
import BenjiProtocol
package import FaceAccounts
package import Requests

/// The part of the authority that face login's device side needs, so that its routes can be tested without one.
package protocol FaceService: Sendable {
    /// The standing of the device key with this thumbprint, before its frames are read.
    func frameStanding(of deviceKey: String) -> FrameStanding
    func appToken(
        _ request: FaceAppTokenRequest, from device: DeviceCall
    ) async throws(Refusal) -> FaceAppTokenResponse
    func begin(_ request: FaceBeginRequest, from device: DeviceCall) async throws(Refusal) -> FaceBeginResponse
    func consent(_ request: FaceConsentRequest, from device: DeviceCall) async throws(Refusal)
    func challenge(
        _ request: FaceChallengeRequest, from device: DeviceCall
    ) async throws(Refusal) -> FaceChallengeResponse
    func frames(_ request: FaceFramesRequest, from device: DeviceCall) async throws(Refusal) -> FaceFramesResponse
    func finish(_ request: FaceFinishRequest, from device: DeviceCall) async throws(Refusal) -> FaceFinishResponse
    func renew(_ request: FaceRenewRequest, from device: DeviceCall) async throws(Refusal) -> FaceRenewResponse
    func user(_ request: FaceAccessRequest, from device: DeviceCall) async throws(Refusal) -> FaceUserResponse
    func updateUID(_ request: FaceUpdateUIDRequest, from device: DeviceCall) async throws(Refusal)
    func updateUserInfo(_ request: FaceUpdateUserInfoRequest, from device: DeviceCall) async throws(Refusal)
    func state(_ request: FaceStateRequest, from device: DeviceCall) async throws(Refusal) -> FaceStateResponse
    func logOut(_ request: FaceAccessRequest, from device: DeviceCall) async throws(Refusal)
    func cancel(_ request: FaceAccessRequest, from device: DeviceCall) async throws(Refusal) -> FaceCancelResponse
    func freeze(_ request: FaceConfirmedRequest, from device: DeviceCall) async throws(Refusal)
    func erase(
        _ request: FaceConfirmedRequest, from device: DeviceCall
    ) async throws(Refusal) -> FaceCancelResponse
    func searchBegin(
        _ request: FaceSearchBeginRequest, from device: DeviceCall
    ) async throws(Refusal) -> FaceSearchBeginResponse
    func search(_ request: FaceSearchRequest, from device: DeviceCall) async throws(Refusal) -> FaceSearchResponse
    func leaveGroups(_ request: FaceAccessRequest, from device: DeviceCall) async throws(Refusal)
}

extension FaceProvider: FaceService {}
