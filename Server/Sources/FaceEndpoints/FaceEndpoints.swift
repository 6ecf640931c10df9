// The public HTTP of face login: phones, apps' servers as SuperID's document has it, and the pages in front of a
// browser's camera. It judges no face and keeps no account. Begin with `FaceEndpoints.swift`.
package import BenjiFaceProtocol
package import BenjiProtocol
import Endpoints
import FaceAccounts
package import Hummingbird
package import Requests
package import ServerHTTP

/// Face login's device side, version 1 (`docs/superid-dialect.md`). Each request is signed as in the device dialect;
/// none needs the cellular interface.
package struct FaceEndpoints: Sendable {
    private let service: any FaceService
    private let clock: any WallClock
    private let requests: ProvenRequests
    private let places: FramePlaces
    private let strangers: UnknownDeviceLimiter

    /// - Parameters:
    ///   - publicURLs: as of ``DeviceEndpoints``.
    ///   - derivedScheme: as of ``DeviceEndpoints``.
    ///   - frameRequests: requests with frames that are in memory at a time, 6 MiB each.
    package init(
        service: any FaceService, clock: any WallClock = SystemWallClock(), publicURLs: [String],
        derivedScheme: String = "http", frameRequests: Int = 64
    ) {
        self.init(
            service: service, clock: clock, publicURLs: publicURLs, derivedScheme: derivedScheme,
            frameRequests: frameRequests, strangers: UnknownDeviceLimiter(clock: clock))
    }

    init(
        service: any FaceService, clock: any WallClock, publicURLs: [String], derivedScheme: String = "http",
        frameRequests: Int = 64, strangers: UnknownDeviceLimiter
    ) {
        self.strangers = strangers
        places = FramePlaces(limit: frameRequests)
        self.service = service
        self.clock = clock
        requests = ProvenRequests(
            sightings: nil, clock: clock, publicURLs: publicURLs, derivedScheme: derivedScheme)
    }

    package var routes: [EndpointRoute] {
        FacePath.allCases.map { path in
            ProvenRequests.route(path.rawValue, clock: clock) { request, context in
                try await answer(path, request, context)
            }
        }
    }
}

extension FaceEndpoints {
    /// Returns the sender whose place a request with frames takes, before it is read. The head names the signing key.
    /// - Throws: A refusal if the signature is invalid or the key has begun no challenge. Only the body shows whether
    ///   the proof belongs to this request.
    private func framesSender(_ request: Request, _ address: InternetAddress?) throws(Refusal) -> FramePlaces.Sender {
        let proofs = request.headers[values: .deviceProof]
        guard let text = proofs.first else {
            throw Refusal(.proofMissing, "the \(DeviceProof.headerName) header is missing")
        }
        guard proofs.count == 1 else {
            throw Refusal(.proofInvalid, "more than one \(DeviceProof.headerName) header")
        }
        let key: String
        do { key = try DeviceProof(verifying: CompactJWS(parsing: text)).key.thumbprint } catch {
            throw Refusal(.proofInvalid, error.description)
        }
        switch service.frameStanding(of: key) {
        case .none: throw Refusal(.faceSessionInvalid, "this device key has begun no challenge; begin again")
        case .stranger: return .stranger(address.map { SourceLimiter.Source($0, nil) })
        case .known(let subscription): return .subscription(subscription)
        }
    }

    func answer(_ path: FacePath, _ request: Request, _ context: EndpointContext) async throws -> JSON {
        func json<Message>(
            _ make: (JSON) throws(JSONError) -> Message, _ answer: (Message, DeviceCall) async throws -> JSON
        ) async throws -> JSON {
            let (body, device) = try await requests.open(
                request, at: path.rawValue, upTo: path.maximumBody, context)
            let message = try ProvenRequests.read(try ProvenRequests.json(body), make)
            return try await answer(message, device)
        }
        func done<Message>(
            _ make: (JSON) throws(JSONError) -> Message, _ perform: (Message, DeviceCall) async throws -> Void
        ) async throws -> JSON {
            try await json(make) { message, device in
                try await perform(message, device)
                return .object(["code": "success"])
            }
        }
        func frames() async throws -> JSON {
            try await places.admit(try framesSender(request, context.peer?.address)) {
                let (body, device) = try await requests.open(
                    request, at: path.rawValue, as: FaceFramesRequest.contentType, upTo: path.maximumBody, context)
                return try await service.frames(try ProvenRequests.read(body, FaceFramesRequest.init), from: device)
                    .json
            }
        }
        return try await strangers.answer(request, context.peer) {
            switch path {
            case .appToken: try await json(FaceAppTokenRequest.init) { try await service.appToken($0, from: $1).json }
            case .begin: try await json(FaceBeginRequest.init) { try await service.begin($0, from: $1).json }
            case .consent: try await done(FaceConsentRequest.init) { try await service.consent($0, from: $1) }
            case .challenge:
                try await json(FaceChallengeRequest.init) { try await service.challenge($0, from: $1).json }
            case .frames: try await frames()
            case .finish: try await json(FaceFinishRequest.init) { try await service.finish($0, from: $1).json }
            case .renew: try await json(FaceRenewRequest.init) { try await service.renew($0, from: $1).json }
            case .user: try await json(FaceAccessRequest.init) { try await service.user($0, from: $1).json }
            case .updateUID: try await done(FaceUpdateUIDRequest.init) { try await service.updateUID($0, from: $1) }
            case .updateUserInfo:
                try await done(FaceUpdateUserInfoRequest.init) { try await service.updateUserInfo($0, from: $1) }
            case .state: try await json(FaceStateRequest.init) { try await service.state($0, from: $1).json }
            case .logOut: try await done(FaceAccessRequest.init) { try await service.logOut($0, from: $1) }
            case .cancel: try await json(FaceAccessRequest.init) { try await service.cancel($0, from: $1).json }
            case .freeze: try await done(FaceConfirmedRequest.init) { try await service.freeze($0, from: $1) }
            case .erase: try await json(FaceConfirmedRequest.init) { try await service.erase($0, from: $1).json }
            case .searchBegin:
                try await json(FaceSearchBeginRequest.init) { try await service.searchBegin($0, from: $1).json }
            case .search: try await json(FaceSearchRequest.init) { try await service.search($0, from: $1).json }
            case .leaveGroups: try await done(FaceAccessRequest.init) { try await service.leaveGroups($0, from: $1) }
            }
        }
    }
}
