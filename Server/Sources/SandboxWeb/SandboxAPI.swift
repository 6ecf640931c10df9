import BenjiClient
import BenjiProtocol
import Catalogue
import HTTPTypes
import Hummingbird
import Sandbox
import ServerHTTP

/// The sandbox for scripts: docs/openapi/sandbox.yaml.
struct SandboxAPI: Sendable {
    let world: SandboxWorld

    /// The longest that a caller may wait for something to happen.
    static let maximumPatience: Int64 = 60

    var routes: [EndpointRoute] {
        [
            EndpointRoute(.get, "/api/choices") { _, _ in Response(choices) },
            EndpointRoute(.get, "/api/phones") { request, _ in
                Response(
                    .object([
                        "phones": .array(await world.phones.map { $0.seen(at: request.origin, of: world.servers).json })
                    ]))
            },
            EndpointRoute(.post, "/api/phones") { request, _ in
                let name = try Self.name(try JSON(parsing: try await request.bytes()))
                return Response(
                    try await world.add(name: name).seen(at: request.origin, of: world.servers).json, status: .created)
            },
            EndpointRoute(.get, "/api/phones/{phone}") { request, context in
                Response(try await world.phone(try context.phone).seen(at: request.origin, of: world.servers).json)
            },
            EndpointRoute(.patch, "/api/phones/{phone}") { request, context in
                let change = try SandboxWorld.Change(try JSON(parsing: try await request.bytes()))
                return Response(
                    try await world.change(try context.phone, change).seen(at: request.origin, of: world.servers).json)
            },
            EndpointRoute(.delete, "/api/phones/{phone}") { _, context in
                try await world.remove(try context.phone)
                return Response(status: .noContent)
            },
            EndpointRoute(.post, "/api/phones/{phone}/login") { request, context in
                Response(try await world.logIn(try context.phone, by: try await Self.way(request)).json)
            },
            EndpointRoute(.get, "/api/phones/{phone}/messages") { _, context in
                let phone = try await world.phone(try context.phone).phone
                return Response(
                    .object([
                        "messages": .array(
                            world.messages(to: phone).map {
                                .object(["at": .integer($0.at.milliseconds), "text": .string($0.text)])
                            })
                    ]))
            },
            EndpointRoute(.post, "/api/phones/{phone}/token") { request, context in
                let purpose = try Self.purpose(try JSON(parsing: try await request.bytes()))
                return Response(try await world.token(purpose, on: try context.phone).json)
            },
            EndpointRoute(.get, "/api/app") { request, _ in
                Response(await world.ownApp.json(world.servers, seenAt: request.origin))
            },
            EndpointRoute(.patch, "/api/app") { request, _ in
                let change = try OwnApp.Change(try JSON(parsing: try await request.bytes()))
                return Response(
                    try await world.changeOwnApp(change).json(world.servers, seenAt: request.origin))
            },
            EndpointRoute(.get, "/api/timeline") { request, _ in try await timeline(request) },
            EndpointRoute(.delete, "/api/timeline") { _, _ in
                world.wiring.timeline.clear()
                return Response(status: .noContent)
            },
        ]
    }

    private func timeline(_ request: Request) async throws -> Response {
        let parameters = request.uri.queryParameters
        let after = try Self.integer("after", parameters["after"], in: 0...Int64.max) ?? 0
        let wait = try Self.integer("wait", parameters["wait"], in: 0...Self.maximumPatience) ?? 0
        let phone = parameters["phone"].map { String($0) }
        if let phone { _ = try await world.phone(phone) }
        let entries = await world.wiring.timeline.entries(after: after, phone: phone, patience: .seconds(wait))
        return Response(
            .object([
                "entries": .array(entries.map(\.explained)),
                "last": .integer(entries.map(\.number).max() ?? after),
            ]))
    }

    /// Everything that can be chosen, and the servers' own names, as a browser behind a modem calls them.
    private var choices: JSON {
        func list(_ choices: [some RawRepresentable<String>]) -> JSON {
            .array(choices.map { .string($0.rawValue) })
        }
        return .object([
            "sims": list(SIMTray.allCases), "networks": list(PhoneNetwork.allCases),
            "steps": list(SandboxStep.allCases),
            "kinds": list(SandboxFault.KindName.allCases), "codes": list(SandboxFault.codes),
            "servers": .object([
                "shop": .string(world.servers.shop.origin), "pages": .string(world.servers.pages.origin),
            ]),
        ])
    }

    private static func name(_ json: JSON) throws -> String? {
        var reader = try JSONObjectReader(json)
        let name = try reader.optionalString("name", length: 1...40)
        try reader.finish()
        return name
    }

    /// One tap, unless the body says otherwise; there may be none.
    private static func way(_ request: Request) async throws -> AppLogin.Way {
        let body = try await request.bytes()
        guard !body.isEmpty else { return .oneTap }
        var reader = try JSONObjectReader(try JSON(parsing: body))
        let way = try reader.value("way", "must be one-tap or sms", AppLogin.Way.init(rawValue:))
        try reader.finish()
        return way
    }

    private static func purpose(_ json: JSON) throws(JSONError) -> TokenPurpose {
        var reader = try JSONObjectReader(json)
        let purpose = try reader.value("purpose", "unknown", TokenPurpose.init(rawValue:))
        try reader.finish()
        return purpose
    }

    private static func integer(
        _ name: String, _ text: Substring?, in range: ClosedRange<Int64>
    ) throws(JSONError) -> Int64? {
        guard let text else { return nil }
        guard let value = Int64(text), range.contains(value) else {
            throw JSONError(place: name, problem: "must be \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }
}

extension EndpointContext {
    var phone: String { get throws { try parameters.require("phone") } }
}

extension SandboxWorld.ConnectedPhone {
    var json: JSON {
        .object([
            "id": .string(phone.id), "name": .string(phone.name), "sim": .string(phone.tray.rawValue),
            "dataSlot": .integer(phone.dataSlot), "network": .string(phone.network.rawValue),
            "fault": phone.fault?.json ?? .null, "maskedNumber": .string(phone.card.maskedNumber),
            "carrier": phone.card.carrier.map { .string($0.rawValue) } ?? .null,
            "address": phone.way(of: .browser).map { .string($0.source.description) } ?? .null,
            "proxy": .string(ports.proxy.origin), "shop": .string(ports.shop.origin),
            "pages": .string(ports.pages.origin),
            "own": .array(
                ports.own.map {
                    .object(["server": .string($0.server.origin), "window": .string($0.window.origin)])
                }),
        ])
    }
}

extension SandboxWorld.Change {
    /// A merge patch (RFC 7396) of what can be changed: `{"sim", "dataSlot", "network", "fault"}`. `"fault": null`
    /// takes the fault away.
    init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        self.init()
        if reader.optional("sim") != nil { tray = try reader.value("sim", "unknown", SIMTray.init(rawValue:)) }
        if reader.optional("dataSlot") != nil { dataSlot = Int(try reader.integer("dataSlot", in: 1...2)) }
        if reader.optional("network") != nil {
            network = try reader.value("network", "unknown", PhoneNetwork.init(rawValue:))
        }
        if let fault = reader.optional("fault") {
            self.fault = .some(try SandboxFault(fault))
        } else if json["fault"] == .null {
            self.fault = .some(nil)
        }
        try reader.finish()
    }
}

extension TimelineEntry {
    /// With what the code means, in both languages.
    var explained: JSON {
        guard case .object(var members) = json else { return json }
        if let entry = explanation {
            members.append(
                JSON.Member(
                    "explanation",
                    .object(["zh": Self.json(entry[.simplifiedChinese]), "en": Self.json(entry[.english])])))
        }
        return .object(members)
    }

    var explanation: CatalogueEntry? {
        code.isEmpty ? nil : Catalogue.entry(code, in: table) ?? Catalogue.entry(code, in: .device)
    }

    private static func json(_ explanation: Explanation) -> JSON {
        .object([
            "meaning": .string(explanation.meaning), "cause": .string(explanation.cause),
            "remedy": .string(explanation.remedy),
        ])
    }
}
