import ArgumentParser
import Authority
import BenjiProtocol
import OpenIDProvider
import Store

/// Changes what is named of an app and keeps the rest.
struct AppSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change what is named of an app; the rest stays.",
        discussion: """
            An option that may be given several times is the new list; the --add- and --remove- forms change the list that is \
            there.

            Example:
              benji app set 300000000001 --add-server-address 203.0.113.8 --add-capability sim-swap
            """.paragraphs)

    @OptionGroup var options: ConfigurationOptions
    @Argument(help: "12 to 64 letters and digits.") var id: AppID
    @Option(help: "The app's name, for people.") var name: String?
    @Option(help: "A bundle id that may log in; given once or several times, the new list.") var bundle: [String] = []
    @Option(help: "One more bundle id.") var addBundle: [String] = []
    @Option(help: "A bundle id that may not log in any more.") var removeBundle: [String] = []
    @Option(help: "An address or block of the app's server; given once or several times, the new list.")
    var serverAddress: [String] = []
    @Option(help: "One more address or block.") var addServerAddress: [String] = []
    @Option(help: "An address or block that is no server's any more, as app show prints it.")
    var removeServerAddress: [String] = []
    @Flag(help: "Server addresses wider than /16 (IPv4) or /48 (IPv6) are meant.") var wideAddresses = false
    @Flag(
        inversion: .prefixedNo,
        help: """
            Its server may call OpenID Connect's and CAMARA's interfaces from any address. Who names a server address without this \
            ends it.
            """)
    var openidFromAnywhere: Bool?
    @Option(help: "What the app may do, as at app create; given once or several times, the new list.")
    var capability: [Capability] = []
    @Option(help: "One more capability.") var addCapability: [Capability] = []
    @Option(help: "A capability that is taken away.") var removeCapability: [Capability] = []
    @Flag(help: "Print JSON.") var json = false

    func validate() throws {
        let lists: [(String, Bool, Bool)] = [
            ("bundle", !bundle.isEmpty, !(addBundle + removeBundle).isEmpty),
            ("server-address", !serverAddress.isEmpty, !(addServerAddress + removeServerAddress).isEmpty),
            ("capability", !capability.isEmpty, !(addCapability + removeCapability).isEmpty),
        ]
        for (name, isSet, isChanged) in lists where isSet && isChanged {
            throw ValidationError("--\(name) is the new list; leave out --add-\(name) and --remove-\(name)")
        }
        try AppCommand.refuseIdle(wideAddresses: wideAddresses, serverAddress + addServerAddress)
        guard name != nil || openidFromAnywhere != nil || lists.contains(where: { $0.1 || $0.2 }) else {
            throw ValidationError("nothing to change was named")
        }
    }

    func run() async throws {
        let order = self
        let (before, app) = try await AppCommand.withApps(options) { apps throws in
            (
                try await apps.find(order.id),
                try await apps.change(order.id, acceptingWideAddresses: order.wideAddresses) { app throws(Refusal) in
                    try order.change(&app)
                }
            )
        }
        AppCommand.show(app, json: json)
        guard before.record.openIDFromAnywhere, !app.record.openIDFromAnywhere, openidFromAnywhere == nil else {
            return
        }
        Terminal.note(
            "OpenID Connect and CAMARA answered this app's server everywhere; since addresses were named they answer at those alone. "
                + "To have it as before: benji app set \(id) --openid-from-anywhere")
    }

    private func change(_ app: inout AppRecord) throws(Refusal) {
        if let name { app.name = name }
        app.settleOpenIDFromAnywhere(
            openidFromAnywhere, namesAddresses: !(serverAddress + addServerAddress).isEmpty)
        try app.bundleIDs.change(to: bundle, adding: addBundle, removing: removeBundle, of: "bundle id")
        try app.serverAddresses.change(
            to: serverAddress, adding: addServerAddress, removing: removeServerAddress, of: "server address")
        if !capability.isEmpty { app.capabilities = Set(capability) }
        app.capabilities.formUnion(addCapability)
        for capability in removeCapability where app.capabilities.remove(capability) == nil {
            throw .notThere(capability.rawValue, of: "capability", there: app.capabilities.map(\.rawValue).sorted())
        }
    }
}

extension Refusal {
    /// That what should be removed is not there, and what is.
    static func notThere(_ what: String, of noun: String, there: [String]) -> Refusal {
        let list = there.isEmpty ? "it has none" : "it has \(there.joined(separator: ", "))"
        return Refusal(.parameterInvalid, "there is no \(noun) \(what.prefix(64)) to remove; \(list)")
    }
}

extension [String] {
    /// The new list, if one is given; and what is added to it and removed from it. Nothing is there twice.
    /// - Throws: ``Refusal`` if what should be removed is not there: then something else was meant.
    mutating func change(
        to list: [String], adding: [String], removing: [String], of noun: String
    ) throws(Refusal) {
        if !list.isEmpty { self = [] }
        for element in list + adding where !contains(element) { append(element) }
        for element in removing {
            guard let index = firstIndex(of: element) else { throw .notThere(element, of: noun, there: self) }
            remove(at: index)
        }
    }
}
