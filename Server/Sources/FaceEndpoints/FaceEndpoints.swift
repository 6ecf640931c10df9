// The public HTTP of face login: phones, apps' servers as SuperID's document has it, and the pages in front of a browser's
// camera. It judges no face and keeps no account. Begin with `FaceEndpoints.swift`.
import Authority
import BenjiFaceProtocol
package import BenjiProtocol
package import Endpoints
import Hummingbird

/// Face login's device side, version 1 (`docs/superid-dialect.md`). Each request is signed as in the device dialect; none
/// needs the cellular interface.
package struct FaceEndpoints: Sendable {
    /// The largest JSON request that is read, in bytes: one with a picture of a person.
    static let maximumBody = 192 * 1024

    private let desk: any FaceDesk
    private let clock: any WallClock
    private let requests: ProvenRequests
    private let gate: FrameGate
    private let strangers: FaceStrangers

    /// - Parameters:
    ///   - publicURLs: as of ``DeviceEndpoints``.
    ///   - derivedScheme: as of ``DeviceEndpoints``.
    ///   - frameRequests: requests with frames that are in memory at a time, 6 MiB each.
    package init(
        desk: any FaceDesk, clock: any WallClock = SystemWallClock(), publicURLs: [String],
        derivedScheme: String = "http", frameRequests: Int = 64
    ) {
        self.init(
            desk: desk, clock: clock, publicURLs: publicURLs, derivedScheme: derivedScheme,
            frameRequests: frameRequests, strangers: FaceStrangers(clock: clock))
    }

    init(
        desk: any FaceDesk, clock: any WallClock, publicURLs: [String], derivedScheme: String = "http",
        frameRequests: Int = 64, strangers: FaceStrangers
    ) {
        self.strangers = strangers
        gate = FrameGate(limit: frameRequests)
        self.desk = desk
        self.clock = clock
        requests = ProvenRequests(
            sightings: nil, clock: clock, publicURLs: publicURLs, derivedScheme: derivedScheme)
    }

    package var routes: [EndpointRoute] { FacePath.allCases.map(route) }

    private func route(_ path: FacePath) -> EndpointRoute {
        switch path {
        case .appToken: json(path, FaceAppTokenRequest.init) { try await desk.appToken($0, from: $1).json }
        case .begin: json(path, FaceBeginRequest.init) { try await desk.begin($0, from: $1).json }
        case .consent: done(path, FaceConsentRequest.init) { try await desk.consent($0, from: $1) }
        case .challenge: json(path, FaceChallengeRequest.init) { try await desk.challenge($0, from: $1).json }
        case .frames: frames(path)
        case .finish: json(path, FaceFinishRequest.init) { try await desk.finish($0, from: $1).json }
        case .renew: json(path, FaceRenewRequest.init) { try await desk.renew($0, from: $1).json }
        case .user: json(path, FaceAccessRequest.init) { try await desk.user($0, from: $1).json }
        case .updateUID: done(path, FaceUpdateUIDRequest.init) { try await desk.updateUID($0, from: $1) }
        case .updateUserInfo:
            done(path, FaceUpdateUserInfoRequest.init) { try await desk.updateUserInfo($0, from: $1) }
        case .state: json(path, FaceStateRequest.init) { try await desk.state($0, from: $1).json }
        case .logOut: done(path, FaceAccessRequest.init) { try await desk.logOut($0, from: $1) }
        case .cancel: json(path, FaceAccessRequest.init) { try await desk.cancel($0, from: $1).json }
        case .freeze: done(path, FaceConfirmedRequest.init) { try await desk.freeze($0, from: $1) }
        case .erase: json(path, FaceConfirmedRequest.init) { try await desk.erase($0, from: $1).json }
        case .searchBegin:
            json(path, FaceSearchBeginRequest.init) { try await desk.searchBegin($0, from: $1).json }
        case .search: json(path, FaceSearchRequest.init) { try await desk.search($0, from: $1).json }
        case .leaveGroups: done(path, FaceAccessRequest.init) { try await desk.leaveGroups($0, from: $1) }
        }
    }

    private func json<Message>(
        _ path: FacePath, _ make: @escaping @Sendable (JSON) throws(JSONError) -> Message,
        _ answer: @escaping @Sendable (Message, DeviceCall) async throws -> JSON
    ) -> EndpointRoute {
        ProvenRequests.route(path.rawValue, clock: clock) { request, context in
            try await strangers.answer(request, context.peer) {
                let (body, device) = try await requests.open(
                    request, at: path.rawValue, upTo: Self.maximumBody, context.peer)
                let message = try ProvenRequests.read(try ProvenRequests.json(body), make)
                return try await answer(message, device)
            }
        }
    }

    private func done<Message>(
        _ path: FacePath, _ make: @escaping @Sendable (JSON) throws(JSONError) -> Message,
        _ perform: @escaping @Sendable (Message, DeviceCall) async throws -> Void
    ) -> EndpointRoute {
        json(path, make) { message, device in
            try await perform(message, device)
            return .object(["code": "success"])
        }
    }

    private func frames(_ path: FacePath) -> EndpointRoute {
        ProvenRequests.route(path.rawValue, clock: clock) { request, context in
            try await strangers.answer(request, context.peer) {
                guard gate.enter() else {
                    throw Refusal(.overloaded, "too many frames at once; try again")
                }
                defer { gate.leave() }
                let (body, device) = try await requests.open(
                    request, at: path.rawValue, as: FaceFramesRequest.contentType,
                    upTo: FaceFramesRequest.maximumLength, context.peer)
                return try await desk.frames(try ProvenRequests.read(body, FaceFramesRequest.init), from: device).json
            }
        }
    }
}
