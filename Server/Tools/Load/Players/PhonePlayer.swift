import BenjiClient
import BenjiProtocol
import Sandbox

/// Plays the phone's part of a login in the device dialect, over one connection from the phone's own address: connect,
/// prefetch, tick and tap, authorize.
struct PhonePlayer: Sendable {
    let target: LoadTarget
    let recorder: Recorder
    let timeout: Duration
    private let random = SystemRandomSource()
    private let clock = SystemWallClock()

    init(target: LoadTarget, recorder: Recorder, timeout: Duration) {
        self.target = target
        self.recorder = recorder
        self.timeout = timeout
    }

    /// The token; `nil` if the walk ended before there was one.
    func token(phone: Int, address: InternetAddress, key: PhoneKey, purpose: TokenPurpose) async -> String? {
        let connection: HTTPConnection
        let began = recorder.now
        do {
            connection = try await HTTPConnection.open(to: target.device, from: address, timeout: timeout)
            recorder.add(.connect, microseconds: recorder.now - began, failure: nil)
        } catch {
            recorder.add(.connect, microseconds: nil, failure: "(\(error.rawValue))")
            return nil
        }
        defer { connection.close() }
        guard let offer = await prefetch(phone: phone, connection: connection, key: key) else { return nil }
        return await authorize(offer, phone: phone, connection: connection, key: key, purpose: purpose)
    }

    private func prefetch(phone: Int, connection: HTTPConnection, key: PhoneKey) async -> PrefetchResponse? {
        let id = Base64URL.encode(random.bytes(16))
        let request = PrefetchRequest(
            appID: target.appID, bundleID: target.bundleID,
            appKeyProof: AppKeyProof.make(
                appKey: target.appKey, appID: target.appID, proofID: id, keyThumbprint: key.thumbprint),
            dialect: .device)
        let body = request.json.serialized
        guard let proof = proof(of: body, for: .prefetch, named: id, key: key) else { return nil }
        let operation = Operation(.prefetch, start: recorder.now, phone: phone, app: target.appID.rawValue)
        do {
            let answer = try await connection.post(DevicePath.prefetch.rawValue, body: body, headers: proof)
            let code = Self.code(of: answer)
            guard code == Situation.success.rawValue else {
                recorder.answered(operation, code: code, succeeded: false)
                return nil
            }
            guard let offer = try? PrefetchResponse(answer.json) else { throw ConnectionFault.unreadable }
            recorder.answered(operation, code: code, succeeded: true)
            return offer
        } catch {
            recorder.unanswered(operation, fault: ConnectionFault(error))
            return nil
        }
    }

    private func authorize(
        _ offer: PrefetchResponse, phone: Int, connection: HTTPConnection, key: PhoneKey, purpose: TokenPurpose
    ) async -> String? {
        var operation = Operation(.authorize, start: recorder.now, phone: phone, app: target.appID.rawValue)
        do {
            let consent = purpose == .login ? try consent(to: offer, key: key) : nil
            let body = AuthorizeRequest(
                appID: target.appID, scrip: offer.scrip, purpose: purpose, consent: consent
            ).json.serialized
            let id = Base64URL.encode(random.bytes(16))
            guard let proof = proof(of: body, for: .authorize, named: id, key: key) else { return nil }
            operation.start = recorder.now
            let answer = try await connection.post(DevicePath.authorize.rawValue, body: body, headers: proof)
            let code = Self.code(of: answer)
            guard code == Situation.success.rawValue else {
                recorder.answered(operation, code: code, succeeded: false)
                return nil
            }
            guard let response = try? AuthorizeResponse(answer.json) else { throw ConnectionFault.unreadable }
            operation.token = Operation.shortHash(of: response.token)
            recorder.answered(operation, code: code, succeeded: true)
            return response.token
        } catch {
            recorder.unanswered(operation, fault: ConnectionFault(error))
            return nil
        }
    }

    /// The person's yes, by somebody who reads fast.
    private func consent(to response: PrefetchResponse, key: PhoneKey) throws -> String {
        let offer = PageOffer(
            maskedNumber: response.maskedNumber, carrier: response.carrier, page: response.page,
            policyVersion: response.policyVersion, trace: response.trace)
        let now = clock.now
        return try ConsentRecord(
            appID: target.appID, trace: response.trace, scrip: response.scrip, nonce: response.nonce,
            content: ScriptedPerson.content(for: offer), sceneDigest: nil, shownAt: now, tickedAt: now, tappedAt: now
        ).signed(by: key)
    }

    private func proof(of body: [UInt8], for path: DevicePath, named id: String, key: PhoneKey) -> [(String, String)]? {
        guard let url = try? target.device.appending(path: path.rawValue) else { return nil }
        let proof = DeviceProof(
            id: id, method: "POST", url: url.text, issuedAt: clock.now, body: body, localAddress: nil,
            key: key.publicKey)
        return (try? proof.signed(by: key)).map { [(DeviceProof.headerName, $0)] }
    }

    private static func code(of answer: HTTPConnection.Answer) -> String {
        answer.json["code"]?.stringValue ?? "HTTP \(answer.status)"
    }
}
