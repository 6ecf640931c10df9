// The messages of face login, and the one request that is not JSON. Each reads back its own output, and none prints a
// secret or a phone number.
//
// Covers: Sources/BenjiFaceProtocol/FaceAccountMessages.swift
// Covers: Sources/BenjiFaceProtocol/FaceAppTokenMessages.swift
// Covers: Sources/BenjiFaceProtocol/FaceBeginRequest.swift
// Covers: Sources/BenjiFaceProtocol/FaceBeginResponse.swift
// Covers: Sources/BenjiFaceProtocol/FaceChallengeMessages.swift
// Covers: Sources/BenjiFaceProtocol/FaceConsentMessages.swift
// Covers: Sources/BenjiFaceProtocol/FaceFinishMessages.swift
// Covers: Sources/BenjiFaceProtocol/FaceFramesRequest.swift
// Covers: Sources/BenjiFaceProtocol/FaceFramesResponse.swift
// Covers: Sources/BenjiFaceProtocol/FaceSearchMessages.swift
// Covers: Sources/BenjiFaceProtocol/FaceUserInfo.swift
import BenjiFaceProtocol
@_spi(Server) import BenjiProtocol

func target(_ input: [UInt8]) {
    frames(input)
    guard let json = try? JSON(parsing: input) else { return }
    requests(json)
    responses(json)
}

private func frames(_ input: [UInt8]) {
    guard let request = try? FaceFramesRequest(input) else { return }
    reached("frames")
    hold("frames are few", request.frames.count <= FaceFramesRequest.maximumCount)
    hold("every picture has bytes", request.frames.allSatisfy { !$0.picture.isEmpty })
    hold("pictures are no more than what came", request.frames.reduce(0) { $0 + $1.picture.count } <= input.count)
    let times = request.frames.map(\.milliseconds)
    hold("each frame is later than the one before", zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    let again = hold("written frames are read") { try FaceFramesRequest(request.bytes) }
    hold("frames survive writing and reading", again == request)
    hidden(request, request.session, request.challenge)
    // Nothing may lie behind the last picture, and none of it may be missing.
    hold("a byte more is refused", (try? FaceFramesRequest(input + [0])) == nil)
    hold("a byte less is refused", (try? FaceFramesRequest(Array(input.dropLast()))) == nil)
}

private func requests(_ json: JSON) {
    if let request = survive(json, FaceAppTokenRequest.init, \.json) {
        reached("a request for an app token")
        hidden(request, request.appKeyProof)
    }
    if let request = survive(json, FaceBeginRequest.init, \.json) {
        reached("a begin")
        hidden(request, request.appToken, request.phone)
        // A request has exactly one identity, whatever its other members.
        let shown = ["token", "remembered", "accessToken"].filter { request.json[$0] != nil }
        hold("a session begins with one identity", shown.count == 1)
    }
    if let request = survive(json, FaceConsentRequest.init, \.json) {
        reached("a consent")
        hidden(request, request.session, request.consent)
    }
    if let request = survive(json, FaceChallengeRequest.init, \.json) { hidden(request, request.session) }
    if let request = survive(json, FaceFinishRequest.init, \.json) {
        reached("a finish")
        hidden(request, request.session, request.authorization, request.groups)
        hold("an avatar is bounded", request.avatar.map { $0.count <= FaceUserInfo.maximumAvatar } ?? true)
    }
    if let request = survive(json, FaceAccessRequest.init, \.json) {
        reached("a request with an access token")
        hidden(request, request.appToken, request.accessToken)
    }
    if let request = survive(json, FaceConfirmedRequest.init, \.json) {
        hidden(request, request.appToken, request.accessToken, request.token)
    }
    if let request = survive(json, FaceRenewRequest.init, \.json) {
        reached("a renewal")
        hidden(request, request.appToken, request.refreshToken)
    }
    if let request = survive(json, FaceUpdateUIDRequest.init, \.json) { hidden(request, request.accessToken) }
    if let request = survive(json, FaceUpdateUserInfoRequest.init, \.json) {
        reached("user information")
        hidden(request, request.accessToken)
    }
    if let request = survive(json, FaceStateRequest.init, \.json) { hidden(request, request.appToken) }
    if let request = survive(json, FaceSearchBeginRequest.init, \.json) {
        reached("a search that begins")
        hidden(request, request.appToken)
    }
    if let request = survive(json, FaceSearchRequest.init, \.json) { hidden(request, request.session) }
}

private func responses(_ json: JSON) {
    if let response = survive(json, FaceAppTokenResponse.init, \.json) {
        reached("an app token")
        hidden(response, response.appToken)
        _ = response.serverTime + .seconds(response.appTokenLifetime)
    }
    if let response = survive(json, FaceBeginResponse.init, \.json) {
        reached("a session")
        hidden(response, response.session, response.nonce, response.maskedNumber)
        _ = response.serverTime - Timestamp(milliseconds: .min)
    }
    if let response = survive(json, FaceChallengeResponse.init, \.json) {
        reached("a challenge")
        hidden(response, response.challenge)
        hold("a request of frames has room", response.framesPerRequest * response.bytesPerFrame > 0)
    }
    if survive(json, FaceFramesResponse.init, \.json) != nil { reached("what became of the frames") }
    if let response = survive(json, FaceFinishResponse.init, \.json) {
        reached("a login")
        hidden(response, response.remembered, response.authorizationCode, response.grant.accessToken)
    }
    if let response = survive(json, FaceRenewResponse.init, \.json) {
        reached("a grant")
        hidden(response, response.grant.accessToken, response.grant.refreshToken)
    }
    _ = survive(json, FaceStateResponse.init, \.json)
    _ = survive(json, FaceCancelResponse.init, \.json)
    if survive(json, FaceUserResponse.init, \.json) != nil { reached("a user") }
    if survive(json, FaceSearchBeginResponse.init, \.json) != nil { reached("a search") }
    if survive(json, FaceSearchResponse.init, \.json) != nil { reached("a candidate") }
}

private func hidden(_ message: some CustomStringConvertible, _ secrets: String?...) {
    let printed = message.description
    for secret in secrets.compactMap({ $0 }) where secret.utf8.count > 16 {
        hold("what is secret is not printed", !printed.contains(secret))
    }
}
