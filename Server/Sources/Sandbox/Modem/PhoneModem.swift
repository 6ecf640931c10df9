import BenjiClient
import BenjiProtocol
import BenjiTransportCurl

/// Carries a phone's traffic, with the network's delay and loss, and the phone's fault.
struct PhoneModem: Sendable {
    let phone: SandboxPhone
    let wiring: SandboxWiring
    let random: any RandomSource
    /// The server of the pages, which records its own requests; the modem records all others.
    let pages: ServerURL

    /// The cellular interface, for an app with the SDK.
    var transport: any Transport { ModemTransport(modem: self, program: .app) }

    /// Whatever network the phone has, for what needs no mobile data.
    var anyNetwork: any Transport { ModemTransport(modem: self, program: .browser) }

    /// - Returns: `nil` if the request is lost.
    func leave(
        _ program: PhoneNetwork.Program, _ method: String, _ path: String
    ) async -> Way? {
        guard let way = phone.way(of: program) else {
            fault("no way out")
            return nil
        }
        guard await wiring.passes(phone, at: .connection, from: .modem) else { return nil }
        if let step = SandboxStep.of(method, path) {
            guard await wiring.passes(phone, at: step, from: .modem) else { return nil }
        }
        if way.delay > .zero { try? await Task.sleep(for: way.delay) }
        if way.lossPercent > 0, Int(random.bytes(1)[0]) * 100 / 256 < way.lossPercent {
            fault("lost on a weak network")
            return nil
        }
        return way
    }

    private func fault(_ words: String) {
        var entry = TimelineEntry(.fault, phone: phone.id, from: .modem, words)
        entry.detail = words
        wiring.timeline.note(entry)
    }

    /// Carries a browser's request, with the names that the server knows itself by.
    ///
    /// - Parameter framed: the drawn phone's own browser, if the request is of its frame.
    func exchange(
        _ request: ModemRequest, to url: ServerURL, names: WindowNames?, framed: FramedBrowser? = nil
    ) async -> ModemOutcome {
        var request = request
        if let framed { request.headers = framed.towardsServer(request.headers) }
        let start = ContinuousClock.now
        var entry = TimelineEntry(.message, phone: phone.id, from: .phone, to: .shop, "\(request.method) \(url.path)")
        wiring.timeline.begin(&entry)
        guard let way = await leave(.browser, request.method, url.path) else { return .drop }
        let outcome = await Self.carry(request, to: url, from: way.source, names: names)
        if case .answer(let status, let headers, let body) = outcome, pages.origin != url.origin,
            status >= 300 || headers["Content-Type"]?.hasPrefix("text/html") == true
        {
            entry.detail = "HTTP \(status)"
            entry.elapsed = ContinuousClock.now - start
            entry.bytes = MessageBytes(
                .http, request: MessageBytes.request(request),
                answer: MessageBytes.answer(status, headers.fields, body))
            wiring.timeline.note(entry)
        }
        if let framed, case .answer(let status, let headers, let body) = outcome {
            return .answer(status: status, headers: framed.towardsBrowser(headers), body: body)
        }
        return outcome
    }

    /// Sends an app's request to the gateway over mobile data. If that fails, the answer has the reason in the field
    /// `Benji-Sandbox-Error`.
    ///
    /// - Parameter address: what the app calls the gateway, without scheme.
    func exchangeOfApp(_ request: ModemRequest, calledAt address: String) async -> ModemOutcome {
        switch ModemRules(port: .window(pages), reachable: []).decide(request) {
        case .refuse(let status, let text): return .refuse(status, text)
        case .forward(let url):
            var headers = Self.endToEnd(request.headers)
            headers.append(SandboxWiring.gatewayHeader, wiring.gatewayValue(of: address))
            do {
                let response = try await transport.send(
                    TransportRequest(method: request.method, url: url, headers: headers, body: request.body),
                    timeout: .seconds(90))
                return .answer(
                    status: response.status, headers: Self.endToEnd(response.headers), body: response.body)
            } catch {
                return .answer(
                    status: 503, headers: ["Benji-Sandbox-Error": error.code.rawValue],
                    body: Array("\(error.detail)\n".utf8))
            }
        }
    }

    /// One exchange that leaves by `source`.
    static func carry(
        _ request: ModemRequest, to url: ServerURL, from source: InternetAddress, names: WindowNames?
    ) async -> ModemOutcome {
        guard request.headers.fields.allSatisfy(isCarried) else {
            return .refuse(400, "the sandbox carries only printable ASCII in headers")
        }
        let kept = endToEnd(request.headers)
        let onward = TransportRequest(
            method: request.method, url: url, headers: names?.towardsServer(kept) ?? kept, body: request.body)
        let transport = CurlTransport(.init(egress: .sourceAddress(source), keepsConnections: false))
        do {
            let response = try await transport.send(onward, timeout: .seconds(90))
            let headers = endToEnd(response.headers)
            let isDocument = headers["Content-Type"]?.hasPrefix("text/html") == true
            return .answer(
                status: response.status, headers: names?.towardsBrowser(headers) ?? headers,
                body: isDocument ? names?.towardsBrowser(response.body) ?? response.body : response.body)
        } catch {
            return .refuse(502, "the server did not answer: \(error.code)")
        }
    }

    /// Without what concerns one connection (RFC 9110 §7.6.1), and without what a transport or the sandbox writes
    /// itself.
    private static func endToEnd(_ headers: HeaderFields) -> HeaderFields {
        let named = headers.values("Connection").flatMap { $0.split(separator: ",") }
            .map { $0.filter { $0 != " " }.lowercased() }
        let ours = [
            "connection", "keep-alive", "proxy-connection", "proxy-authorization", "proxy-authenticate", "te",
            "trailer",
            "transfer-encoding", "upgrade", "expect", "host", "content-length", "accept-encoding",
            SandboxWiring.gatewayHeader.lowercased(),
        ]
        return HeaderFields(
            headers.fields.filter { field in
                let name = field.name.lowercased()
                return !ours.contains(name) && !named.contains(name) && isCarried(field)
            })
    }

    private static func isCarried(_ field: HeaderFields.Field) -> Bool {
        field.value.utf8.allSatisfy { $0 == 0x09 || (0x20...0x7e).contains($0) }
    }
}

/// A phone's network, as the SDK in an app uses it.
struct ModemTransport: Transport {
    let modem: PhoneModem
    /// Who is to be taken for the sender: an app asks for mobile data, everything else goes where the system sends it.
    let program: PhoneNetwork.Program

    func localAddress(towards server: ServerURL) async throws(TransportError) -> InternetAddress? {
        guard let way = modem.phone.way(of: program) else { throw Self.off(server) }
        return way.source
    }

    func send(_ request: TransportRequest, timeout: Duration) async throws(TransportError) -> TransportResponse {
        guard modem.phone.way(of: program) != nil else { throw Self.off(request.url) }
        guard let way = await modem.leave(program, request.method, request.url.path) else {
            throw TransportError(.connectionLost, at: request.url.origin, "the request was lost on the way")
        }
        let transport = CurlTransport(.init(egress: .sourceAddress(way.source), keepsConnections: false))
        guard modem.pages.origin != request.url.origin else {
            return try await transport.send(request, timeout: timeout)
        }
        let start = ContinuousClock.now
        var entry = TimelineEntry(
            .message, phone: modem.phone.id, from: .phone, to: .shop, "\(request.method) \(request.url.path)")
        modem.wiring.timeline.begin(&entry)
        let response = try await transport.send(request, timeout: timeout)
        entry.detail = "HTTP \(response.status)"
        entry.elapsed = ContinuousClock.now - start
        entry.bytes = MessageBytes(
            .http, request: MessageBytes.request(request),
            answer: MessageBytes.answer(response.status, response.headers.fields, response.body))
        modem.wiring.timeline.note(entry)
        return response
    }

    private static func off(_ server: ServerURL) -> TransportError {
        TransportError(.cellularUnavailable, at: server.origin, "mobile data is off")
    }
}
