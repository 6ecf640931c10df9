import BenjiClient
import BenjiProtocol

/// Makes, signs and sends the requests of face login. Every one is a POST under a device proof.
struct FaceCaller: Sendable {
    /// What a server that speaks the dialect answered.
    enum Answer: Sendable {
        case success(JSON)
        case refusal(DeviceFailure)
    }

    /// What a body may be made of.
    struct Signing: Sendable {
        var proofID: String
        var signer: any DeviceSigner
    }

    enum Body: Sendable {
        case json(JSON)
        case bytes([UInt8], type: String)
    }

    let configuration: LoginEngine.Configuration
    let transport: any Transport
    let keyStore: any DeviceKeyStore
    let wallClock: any WallClock
    let random: any RandomSource

    func signer() async throws(BenjiError) -> any DeviceSigner {
        do { return try await keyStore.signer() } catch {
            throw BenjiError(.deviceKeyUnavailable, error.description)
        }
    }

    func post(
        _ path: FacePath, clockOffset: Duration, timeout: Duration, body make: @Sendable (Signing) throws -> Body
    ) async throws(BenjiError) -> Answer {
        let url: ServerURL
        do { url = try configuration.server.appending(path: path.rawValue) } catch {
            throw BenjiError(.invalidArgument, error.description)
        }
        let signer = try await signer()
        // 22 characters out of 62: 130 bits, so that no two proofs of a device share a name.
        let signing = Signing(proofID: random.alphanumerics(22), signer: signer)
        let request: TransportRequest
        do {
            let (bytes, type) =
                switch try make(signing) {
                case .json(let json): (json.serialized, "application/json")
                case .bytes(let bytes, let type): (bytes, type)
                }
            let proof = DeviceProof(
                id: signing.proofID, method: "POST", url: url.text, issuedAt: wallClock.now + clockOffset, body: bytes,
                localAddress: nil, key: signer.publicKey)
            var headers: HeaderFields = ["Content-Type": type, "Accept": "application/json"]
            headers[DeviceProof.headerName] = try proof.signed(by: signer)
            request = TransportRequest(method: "POST", url: url, headers: headers, body: bytes)
        } catch {
            // The key store's own errors may say more than is good to show.
            throw BenjiError(.deviceKeyUnavailable, "the device key could not sign")
        }
        do { return try answer(try await transport.send(request, timeout: timeout)) } catch let error as TransportError
        {
            throw BenjiError(error)
        } catch let error as BenjiError {
            throw error
        } catch {
            throw BenjiError(.internalError, "an error of an unknown kind")
        }
    }

    /// The code decides, whatever the status. Success must have both.
    private func answer(_ response: TransportResponse) throws(BenjiError) -> Answer {
        func failure(_ detail: String) -> BenjiError {
            BenjiError(.malformedResponse, "\(configuration.server.origin): status \(response.status), \(detail)")
        }
        if response.status == 204, response.body.isEmpty { return .success(.object([])) }
        let json: JSON
        let refusal: DeviceFailure
        do throws(JSONError) {
            json = try JSON(parsing: response.body)
            refusal = try DeviceFailure(json)
        } catch {
            throw failure(error.description)
        }
        guard refusal.situation == .success else { return .refusal(refusal) }
        guard (200..<300).contains(response.status) else { throw failure("with the code of success") }
        return .success(json)
    }
}
