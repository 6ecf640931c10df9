package import Authority
package import BenjiFaceProtocol
package import BenjiProtocol
import Endpoints
import FaceAccounts

/// What face login's device side needs of the authority, so that its routes can be tested without one.
package protocol FaceDesk: Sendable {
    func appToken(
        _ request: FaceAppTokenRequest, from device: DeviceCall
    ) async throws(DeviceFailure) -> FaceAppTokenResponse
    func begin(_ request: FaceBeginRequest, from device: DeviceCall) async throws(DeviceFailure) -> FaceBeginResponse
    func consent(_ request: FaceConsentRequest, from device: DeviceCall) async throws(DeviceFailure)
    func challenge(
        _ request: FaceChallengeRequest, from device: DeviceCall
    ) async throws(DeviceFailure) -> FaceChallengeResponse
    func frames(_ request: FaceFramesRequest, from device: DeviceCall) async throws(DeviceFailure) -> FaceFramesResponse
    func finish(_ request: FaceFinishRequest, from device: DeviceCall) async throws(DeviceFailure) -> FaceFinishResponse
    func renew(_ request: FaceRenewRequest, from device: DeviceCall) async throws(DeviceFailure) -> FaceRenewResponse
    func user(_ request: FaceAccessRequest, from device: DeviceCall) async throws(DeviceFailure) -> FaceUserResponse
    func updateUID(_ request: FaceUpdateUIDRequest, from device: DeviceCall) async throws(DeviceFailure)
    func updateUserInfo(_ request: FaceUpdateUserInfoRequest, from device: DeviceCall) async throws(DeviceFailure)
    func state(_ request: FaceStateRequest, from device: DeviceCall) async throws(DeviceFailure) -> FaceStateResponse
    func logOut(_ request: FaceAccessRequest, from device: DeviceCall) async throws(DeviceFailure)
    func cancel(_ request: FaceAccessRequest, from device: DeviceCall) async throws(DeviceFailure) -> FaceCancelResponse
    func freeze(_ request: FaceConfirmedRequest, from device: DeviceCall) async throws(DeviceFailure)
    func erase(
        _ request: FaceConfirmedRequest, from device: DeviceCall
    ) async throws(DeviceFailure) -> FaceCancelResponse
    func searchBegin(
        _ request: FaceSearchBeginRequest, from device: DeviceCall
    ) async throws(DeviceFailure) -> FaceSearchBeginResponse
    func search(_ request: FaceSearchRequest, from device: DeviceCall) async throws(DeviceFailure) -> FaceSearchResponse
    func leaveGroups(_ request: FaceAccessRequest, from device: DeviceCall) async throws(DeviceFailure)
}

extension FaceProvider: FaceDesk {}
