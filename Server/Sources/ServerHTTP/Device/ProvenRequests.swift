package import BenjiProtocol
import HTTPTypes
package import Hummingbird
package import Requests
import Sightings

/// Opens what phones sign: checks the form, that the proof covers this very request, and asks the gateway who sent it.
/// Everything else is the authority's.
package struct ProvenRequests: Sendable {
    /// `nil` where it does not matter whose address a request comes from.
    package let sightings: (any SightingSource)?
    package let clock: any WallClock
    package let publicURLs: [String]
    package let derivedScheme: String
    /// Calls from addresses that are no subscriber's. Most write nothing, but a signature would be checked for each.
    private let strangers = SourceLimiter(calls: ProvenRequests.strangersCalls)

    /// The largest request of the device dialect that is read, and the largest attestation, in bytes.
    package static let maximumBody = 32 * 1024

    /// Calls in ten minutes from one address, or one /64, that is no subscriber's; as many at once.
    static let strangersCalls = 600

    /// - Parameters: as of `DeviceEndpoints`.
    package init(
        sightings: (any SightingSource)?, clock: any WallClock, publicURLs: [String], derivedScheme: String
    ) {
        self.sightings = sightings
        self.clock = clock
        self.publicURLs = publicURLs.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
        self.derivedScheme = derivedScheme
    }

    /// Everything that must hold before the authority is asked, cheapest first.
    package func open(
        _ request: Request, at path: String, as contentType: String = "application/json", upTo limit: Int,
        _ context: EndpointContext
    ) async throws -> (body: [UInt8], device: DeviceCall) {
        guard request.mediaType == contentType else {
            throw Refusal(.malformedRequest, "Content-Type must be \(contentType)")
        }
        let proofText = try Self.proof(in: request.headers)
        let attestations = request.headers[values: .clientAttestation]
        guard attestations.count <= 1 else {
            throw Refusal(.attestationInvalid, "more than one \(ClientAttestation.headerName) header")
        }
        // In the bytes that go over the link: a header's octets that are no UTF-8 take three times as many there.
        guard (attestations.first?.utf8.count ?? 0) <= Self.maximumBody else {
            throw Refusal(.attestationInvalid, "longer than \(Self.maximumBody) bytes")
        }
        let body = try await request.bytes(upTo: limit)
        // The gateway is asked once, before the signature is checked. What it says counts only if the proof holds.
        let jws = Result { () throws(JSONError) in try CompactJWS(parsing: proofText) }
        let claim = Self.claimedAddress(in: jws)
        let sighting = await sightings?.sighting(of: context, claimedLocalAddress: claim) ?? .failure(.unknownAddress)
        // A gateway that forwards requests has counted its own.
        if sightings != nil, context.sender == nil, case .failure(.unknownAddress) = sighting {
            try countStranger(context.peer)
        }
        let proof: DeviceProof
        do { proof = try DeviceProof(verifying: jws.get()) } catch {
            throw Refusal(.proofInvalid, error.description)
        }
        // The gateway that forwarded the request may choose the host name, but not the path.
        let bases = context.sender?.baseURLs ?? baseURLs(of: request)
        guard proof.covers(method: request.method.rawValue, urls: bases.map { $0 + path }, body: body),
            proof.localAddress == claim
        else {
            throw Refusal(.proofInvalid, "the proof was made for another method, address or body")
        }
        return (
            body,
            DeviceCall(
                proof: proof, attestation: attestations.first, sighting: sighting, source: context.peer?.address)
        )
    }

    /// The address that a proof names, before anybody knows whether the proof holds.
    private static func claimedAddress(in proof: Result<CompactJWS, JSONError>) -> InternetAddress? {
        (try? proof.get())?.payload["la"]?.stringValue.flatMap { InternetAddress($0) }
    }

    /// Counts a call from an address that is no subscriber's, and turns it away when there were too many. As soon as
    /// the address is one's, it is served.
    private func countStranger(_ peer: Peer?) throws(Refusal) {
        guard !strangers.admits(peer?.address, now: clock.now) else { return }
        throw Refusal(
            .tooManyRequests,
            "too many requests from an address that is not a phone's of this network; is it on Wi-Fi or behind a VPN?"
        )
    }

    /// A route for what phones sign. A phone whose clock is wrong can set itself right by any refusal.
    package static func route(
        _ path: String, clock: any WallClock,
        _ answer: @escaping @Sendable (Request, EndpointContext) async throws -> JSON
    ) -> EndpointRoute {
        EndpointRoute(.post, path) { request, context in
            do {
                let json = try await answer(request, context)
                context.outcome.note(
                    code: Situation.success.rawValue,
                    trace: json["trace"]?.stringValue.flatMap(TraceID.init(rawValue:)))
                return Response(json)
            } catch var refusal as Refusal {
                refusal.serverTime = refusal.serverTime ?? clock.now
                throw refusal
            }
        }
    }

    package static func json(_ body: [UInt8]) throws(Refusal) -> JSON {
        do { return try JSON(parsing: body) } catch {
            throw Refusal(.malformedRequest, error.description)
        }
    }

    /// Reads a message; an error names its place.
    package static func read<Source, Message>(
        _ source: Source, _ make: (Source) throws(JSONError) -> Message
    ) throws(Refusal) -> Message {
        do { return try make(source) } catch {
            throw Refusal(
                error.problem == "missing" ? .parameterMissing : .parameterInvalid, error.description
            )
        }
    }

    /// The addresses under which this listener is reached, without a path. A proof must name one of them.
    package func baseURLs(of request: Request) -> [String] {
        if !publicURLs.isEmpty { return publicURLs }
        return request.head.authority.map { ["\(derivedScheme)://\($0)"] } ?? []
    }

    private static func proof(in headers: HTTPFields) throws(Refusal) -> String {
        let proofs = headers[values: .deviceProof]
        guard let proof = proofs.first else {
            throw Refusal(.proofMissing, "the \(DeviceProof.headerName) header is missing")
        }
        guard proofs.count == 1 else {
            throw Refusal(.proofInvalid, "more than one \(DeviceProof.headerName) header")
        }
        return proof
    }
}

extension HTTPField.Name {
    // Both are tokens of RFC 9110 §5.6.2.
    package static let deviceProof = Self(DeviceProof.headerName)!
    package static let clientAttestation = Self(ClientAttestation.headerName)!
}
