internal import Authority
public import BenjiProtocol
internal import Crypto
internal import HTTPTypes
internal import Hummingbird

/// The device dialect, version 1 (`docs/device-dialect.md`): what the SDK says to the gateway over the cellular
/// interface.
///
/// Each request is a JSON body under a signed proof. This layer checks the form, that the proof covers this very
/// request, and asks the gateway who sent it; everything else is the authority's.
public struct DeviceEndpoints: Sendable {
    /// The largest request that is read, in bytes.
    public static let greatestBody = 32 * 1024

    private let desk: any DeviceDesk
    private let sightings: any SightingSource
    private let clock: any WallClock
    private let publicURLs: [String]
    private let derivedScheme: String

    /// - Parameters:
    ///   - publicURLs: the base addresses under which phones reach this listener, such as `https://id.example.com`,
    ///     without a path. A proof must name one of them. When empty, the `Host` header of each request decides,
    ///     which is fit for a sandbox only: it lets a proof made for another server be shown here.
    ///   - derivedScheme: the scheme that goes with the `Host` header: `http`, or `https` when this listener speaks
    ///     TLS.
    public init(
        desk: any DeviceDesk, sightings: any SightingSource, clock: any WallClock = SystemWallClock(),
        publicURLs: [String], derivedScheme: String = "http"
    ) {
        self.desk = desk
        self.sightings = sightings
        self.clock = clock
        self.publicURLs = publicURLs.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
        self.derivedScheme = derivedScheme
    }

    public var routes: [EndpointRoute] {
        DevicePath.allCases.map { path in
            switch path {
            case .prefetch:
                signed(path) { json, device in
                    let response = try await desk.prefetch(Self.read(json, PrefetchRequest.init), from: device)
                    return (response.json, response.trace)
                }
            case .authorize:
                signed(path) { json, device in
                    let response = try await desk.authorize(Self.read(json, AuthorizeRequest.init), from: device)
                    return (response.json, response.trace)
                }
            case .forget:
                signed(path) { json, device in
                    try await desk.forget(Self.read(json, ForgetRequest.init), from: device)
                    return (.object(["code": "success"]), nil)
                }
            case .policy: EndpointRoute(.get, path.rawValue) { request, context in try await policy(request, context) }
            }
        }
    }

    private func signed(
        _ path: DevicePath,
        _ answer: @escaping @Sendable (JSON, DeviceCall) async throws -> (json: JSON, trace: TraceID?)
    ) -> EndpointRoute {
        EndpointRoute(.post, path.rawValue) { request, context in
            do {
                let (json, device) = try await open(request, path, context.peer)
                let (response, trace) = try await answer(json, device)
                context.outcome.note(code: Situation.success.rawValue, trace: trace)
                return Response(response)
            } catch var failure as DeviceFailure {
                // A phone whose clock is wrong can set itself right by any refusal.
                failure.serverTime = failure.serverTime ?? clock.now
                throw failure
            }
        }
    }

    /// Everything that must hold before the authority is asked, cheapest first.
    private func open(_ request: Request, _ path: DevicePath, _ peer: Peer?) async throws -> (JSON, DeviceCall) {
        guard Self.isJSON(request.headers[.contentType]) else {
            throw DeviceFailure(situation: .malformedRequest, detail: "Content-Type must be application/json")
        }
        let proofText = try Self.proof(in: request.headers)
        let attestations = request.headers[values: .clientAttestation]
        guard attestations.count <= 1 else {
            throw DeviceFailure(
                situation: .attestationInvalid, detail: "more than one \(ClientAttestation.headerName) header")
        }
        let body = try await request.bytes(upTo: Self.greatestBody)
        let proof: DeviceProof
        do { proof = try DeviceProof(verifying: proofText) } catch {
            throw DeviceFailure(situation: .proofInvalid, detail: error.description)
        }
        guard proof.covers(method: request.method.rawValue, urls: urls(of: path, request), body: body) else {
            throw DeviceFailure(
                situation: .proofInvalid, detail: "the proof was made for another method, address or body")
        }
        let json: JSON
        do { json = try JSON(parsing: body) } catch {
            throw DeviceFailure(situation: .malformedRequest, detail: error.description)
        }
        let sighting: Result<Sighting, SightingRefusal> =
            if let peer {
                await sightings.sighting(
                    from: peer.address, port: peer.port, claimedLocalAddress: proof.localAddress)
            } else {
                .failure(.unknownAddress)
            }
        return (json, DeviceCall(proof: proof, attestation: attestations.first, sighting: sighting))
    }

    private func urls(of path: DevicePath, _ request: Request) -> [String] {
        if !publicURLs.isEmpty { return publicURLs.map { $0 + path.rawValue } }
        return request.head.authority.map { ["\(derivedScheme)://\($0)\(path.rawValue)"] } ?? []
    }

    private func policy(_ request: Request, _ context: EndpointContext) async throws -> Response {
        let json = try await desk.policyDocument()
        context.outcome.note(code: Situation.success.rawValue)
        let tag = "\"\(Base64URL.encode(Array(SHA256.hash(data: json.serialized)).prefix(16)))\""
        var response =
            request.headers[.ifNoneMatch] == tag ? Response(status: .notModified, headers: [:]) : Response(json)
        response.headers[.eTag] = tag
        // May be kept, must be asked after: an operator's change shows at the next login.
        response.headers[.cacheControl] = "no-cache"
        return response
    }

    private static func proof(in headers: HTTPFields) throws(DeviceFailure) -> String {
        let proofs = headers[values: .deviceProof]
        guard let proof = proofs.first else {
            throw DeviceFailure(situation: .proofMissing, detail: "the \(DeviceProof.headerName) header is missing")
        }
        guard proofs.count == 1 else {
            throw DeviceFailure(situation: .proofInvalid, detail: "more than one \(DeviceProof.headerName) header")
        }
        return proof
    }

    private static func isJSON(_ contentType: String?) -> Bool {
        contentType?.prefix { $0 != ";" }.lowercased().filter { $0 != " " } == "application/json"
    }

    /// Reads a message; what is wrong with it names its place.
    static func read<Message>(
        _ json: JSON, _ make: (JSON) throws(JSONError) -> Message
    ) throws(DeviceFailure) -> Message {
        do { return try make(json) } catch {
            throw DeviceFailure(
                situation: error.problem == "missing" ? .parameterMissing : .parameterInvalid, detail: error.description
            )
        }
    }
}

extension HTTPField.Name {
    // Both are tokens of RFC 9110 §5.6.2.
    static let deviceProof = Self(DeviceProof.headerName)!
    static let clientAttestation = Self(ClientAttestation.headerName)!
}
