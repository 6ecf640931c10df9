import BenjiProtocol
import Catalogue
package import Endpoints
import HTTPTypes
import Hummingbird
package import Requests
package import ServerHTTP
package import ShortMessages
package import Store
import Synchronization

/// Sits between a server's listeners and its authority, in a sandbox alone. It records what passes, and answers with a
/// phone's fault if there is one. It decides nothing else.
///
/// A server of `benji serve` has no place for one: only code that assembles a server by hand can add it.
package final class SandboxWiring: Sendable {
    static let faultDetail = "a fault that was put in by the sandbox"

    package enum Side: Sendable { case device, server }

    package let timeline: Timeline
    let memory = PhoneMemory()
    let inbox = SandboxInbox()
    private let word = CredentialGrammar.openID.make(random: SystemRandomSource())
    private let phones = Mutex<[String: SandboxPhone]>([:])
    private let addresses = Mutex<[InternetAddress: String]>([:])

    package init(timeline: Timeline = Timeline()) { self.timeline = timeline }

    // MARK: - What a server is put together with

    package func service(_ base: any ServerService) -> any ServerService {
        FaultyServerService(base: base, wiring: self)
    }
    package func service(_ base: any OpenIDService) -> any OpenIDService {
        FaultyOpenIDService(base: base, wiring: self)
    }
    /// Brings short messages to the sandbox's phones.
    package var sender: any ShortMessageSender { SandboxSender(wiring: self, clock: SystemWallClock()) }

    /// The same routes, each telling the timeline how it was answered.
    package func routes(_ routes: [EndpointRoute], of side: Side) -> [EndpointRoute] {
        routes.map { route in
            EndpointRoute(route.method, route.path) { [self] request, context in
                let caller = side == .device ? context.peer.flatMap { self.phone(at: $0.address) } : nil
                let notes = ExchangeNotes(phone: caller?.id)
                var entry = TimelineEntry(
                    .message, phone: nil, from: side == .device ? .phone : .shop,
                    to: side == .device ? .gateway : .authority, "\(route.method.rawValue) \(route.path)")
                timeline.begin(&entry)
                let start = ContinuousClock.now
                let recorder = ExchangeRecorder()
                let result: Result<Response, any Error>
                var answer: [UInt8]?
                do {
                    let response = try await ExchangeNotes.$current.withValue(notes) {
                        if side == .device { try meetFault(at: route) }
                        return try await route.handler(
                            recorder.reading(caller == nil ? request : asAddressed(request)), context)
                    }
                    let collected = try await ExchangeRecorder.collected(response)
                    answer = collected.bytes
                    if let phone = caller?.id, DevicePath(rawValue: route.path) != nil {
                        learn(from: collected.body, phone)
                    }
                    result = .success(collected.response)
                } catch {
                    result = .failure(error)
                    answer = try await Self.answer(to: error)
                }
                entry.phone = notes.phone
                entry.bytes = MessageBytes(.http, request: recorder.bytes(of: request), answer: answer)
                entry.elapsed = ContinuousClock.now - start
                entry.table = SandboxStep.table(of: route.path)
                entry.code = Self.code(of: result, context)
                entry.trace = context.outcome.trace ?? notes.trace
                // Phones are known by their addresses. Requests without one, such as the demo's own, are not recorded.
                timeline.note((entry.phone == nil ? [] : [entry]) + notes.entries)
                return try result.get()
            }
        }
    }

    /// The field by which a modem states the address that the app on the phone called. A proof names that address, so
    /// only a modem's word counts. An app's own field is not carried, and a value without this process's word is
    /// ignored.
    static let gatewayHeader = "Benji-Sandbox-Gateway"

    func gatewayValue(of address: String) -> String { "\(word) \(address)" }

    /// Under the address that the app on the phone called. It may be a path on the port of the sandbox's page.
    private func asAddressed(_ request: Request) -> Request {
        let value = request.headers[.sandboxGateway].map { $0.split(separator: " ") } ?? []
        guard value.count == 2, value[0] == word else { return request }
        var head = request.head
        head.authority = String(value[1])
        return Request(head: head, body: request.body)
    }

    /// How the listener answers what a route throws (`CodedErrors`).
    private static func answer(to error: any Error) async throws -> [UInt8]? {
        let refusal: Refusal
        switch error {
        case let error as Refusal: refusal = error
        case let situation as Situation: refusal = Refusal(situation, "")
        default: return nil
        }
        return try await ExchangeRecorder.collected(Response(refusal)).bytes
    }

    private static func code(of result: Result<Response, any Error>, _ context: EndpointContext) -> String {
        switch result {
        case .success: context.outcome.code ?? ""
        case .failure(let refusal as Refusal): refusal.situation.rawValue
        case .failure(let situation as Situation): situation.rawValue
        case .failure: Situation.internalError.rawValue
        }
    }

    /// A step of a login's trace, as the authority writes it down.
    package func observe(_ event: TraceEvent) {
        ExchangeNotes.current?.note(trace: event.trace)
        let phone = ExchangeNotes.current?.phone ?? memory.phone(of: event.trace)
        guard let phone else { return }
        memory.remember(event.trace, phone: phone)
        ExchangeNotes.current?.note(phone: phone)
        let from: TimelineEntry.Party =
            switch event.party {
            case .device: .phone
            case .gateway: .gateway
            case .authority: .authority
            case .appServer: .shop
            }
        var entry = TimelineEntry(.decision, phone: phone, from: from, event.step)
        entry.code = event.situation.rawValue
        entry.detail = event.detail
        entry.trace = event.trace
        noteWithin(entry)
    }

    /// Records an event with the request in whose course it happens.
    private func noteWithin(_ entry: TimelineEntry) {
        guard let notes = ExchangeNotes.current else { return timeline.note(entry) }
        var entry = entry
        timeline.begin(&entry)
        notes.note(entry)
    }

    // MARK: - Phones

    func add(_ phone: SandboxPhone) {
        phones.withLock { $0[phone.id] = phone }
        for address in PhoneNetwork.addressesElsewhere(phone: phone.position) { assign(address, to: phone) }
    }

    func remove(_ phone: SandboxPhone) {
        phones.withLock { $0[phone.id] = nil }
        addresses.withLock { addresses in addresses = addresses.filter { $0.value != phone.id } }
    }

    func assign(_ address: InternetAddress, to phone: SandboxPhone) { addresses.withLock { $0[address] = phone.id } }

    func phone(at address: InternetAddress) -> SandboxPhone? {
        addresses.withLock { $0[address] }.flatMap { phone($0) }
    }

    func phone(_ id: String) -> SandboxPhone? { phones.withLock { $0[id] } }

    /// The phone with a card of this number.
    func phone(withNumber number: PhoneNumber) -> SandboxPhone? {
        phones.withLock { $0.values.first { $0.numbers.contains(number) } }
    }

    /// Records a short message that was handed in and has come, without its text in the timeline's lines.
    func noteMessage(_ text: String, to phone: SandboxPhone) {
        for (from, to) in [(TimelineEntry.Party.authority, TimelineEntry.Party.smsc), (.smsc, .phone)] {
            var entry = TimelineEntry(.message, phone: phone.id, from: from, to: to, "SMS")
            entry.bytes = MessageBytes(.text, request: Array(text.utf8))
            noteWithin(entry)
        }
    }

    // MARK: - On the way

    /// Whether a request for `phone` at `step` arrives: a fault there loses or delays it.
    func passes(_ phone: SandboxPhone, at step: SandboxStep, from party: TimelineEntry.Party) async -> Bool {
        guard let kind = phone.takeFault(at: step, \.isOnTheWay) else { return true }
        var entry = TimelineEntry(.fault, phone: phone.id, from: party, step.rawValue)
        guard case .delay(let delay) = kind else {
            entry.detail = "lost"
            timeline.note(entry)
            return false
        }
        entry.detail = "\(delay.wholeMilliseconds) ms later"
        timeline.note(entry)
        try? await Task.sleep(for: delay)
        return true
    }

    // MARK: - While a request is answered

    /// Answers a request of the device dialect with the phone's fault, if it has one for this step.
    private func meetFault(at route: EndpointRoute) throws(Refusal) {
        guard DevicePath(rawValue: route.path) != nil,
            let step = SandboxStep.of(route.method.rawValue, route.path), let situation = takeCode(at: step)
        else { return }
        throw Refusal(situation, Self.faultDetail, serverTime: SystemWallClock().now)
    }

    /// Remembers the trace and the token of an answer, so that the login and its redemption are known for the phone's.
    private func learn(from answer: [UInt8], _ phone: String) {
        guard let json = try? JSON(parsing: answer) else { return }
        if let trace = json["trace"]?.stringValue.flatMap(TraceID.init) { memory.remember(trace, phone: phone) }
        if let token = json["token"]?.stringValue { memory.remember(credential: token, phone: phone) }
    }

    /// The code that the present request's phone is to be answered with at `step`.
    func takeCode(at step: SandboxStep) -> Situation? {
        guard let id = ExchangeNotes.current?.phone, let phone = phone(id),
            case .code(let situation)? = phone.takeFault(at: step, { !$0.isOnTheWay })
        else { return nil }
        var entry = TimelineEntry(.fault, phone: id, from: .sandbox, step.rawValue)
        entry.code = situation.rawValue
        noteWithin(entry)
        return situation
    }

    /// The present request's phone has earned a credential that an app's server will bring.
    func remember(_ credential: String) {
        guard let phone = ExchangeNotes.current?.phone else { return }
        memory.remember(credential: credential, phone: phone)
    }

    /// The present request comes from an app's server on behalf of the phone that earned the credential.
    func recognise(credential: String) {
        ExchangeNotes.current?.note(phone: memory.phone(ofCredential: credential))
    }
}

extension HTTPField.Name {
    // A token of RFC 9110 §5.6.2.
    /// Sent by the sandbox's page for an app: the address that the app called, without scheme.
    static let sandboxGateway = Self(SandboxWiring.gatewayHeader)!
}
