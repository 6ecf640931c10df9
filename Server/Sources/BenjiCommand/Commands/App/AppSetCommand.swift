import Administration
import ArgumentParser
import BenjiProtocol
import Store

/// Changes the named settings of an app and keeps the rest.
struct AppSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change what is named of an app; the rest stays.",
        discussion: """
            An option that may be given several times is the new list; the --add- and --remove- forms change the list \
            that is \
            there.

            Example:
              benji app set 300000000001 --add-server-address 203.0.113.8 --add-capability sim-swap
            """.paragraphs)

    @OptionGroup var options: OrderOptions
    @Argument(help: "12 to 64 letters and digits.") var id: AppID
    @Option(help: .of(.name)) var name: String?
    @Option(help: .ofNewList(.bundles)) var bundle: [String] = []
    @Option(help: "Add this bundle id.") var addBundle: [String] = []
    @Option(help: "Remove this bundle id.") var removeBundle: [String] = []
    @Option(help: .ofNewList(.serverAddresses))
    var serverAddress: [String] = []
    @Option(help: "Add this address or block.") var addServerAddress: [String] = []
    @Option(help: "Remove this address or block, written as app show prints it.")
    var removeServerAddress: [String] = []
    @Flag(help: .of(.wideAddresses)) var wideAddresses = false
    @Flag(inversion: .prefixedNo, help: .of(.openIDFromAnywhere))
    var openidFromAnywhere: Bool?
    @Option(help: "What the app may do, as at app create; given once or several times, the new list.")
    var capability: [Capability] = []
    @Option(help: "Add this capability.") var addCapability: [Capability] = []
    @Option(help: "Remove this capability.") var removeCapability: [Capability] = []
    @Option(help: "PEM file with the RSA public key (2048 bits or more) that checks signs and encrypts numbers.")
    var rsaPublicKey: String?
    @Option(help: .of(.sign)) var sign: SignAlgorithm?
    @Option(help: .of(.dailyQuota)) var dailyQuota: Int?
    @Option(help: .of(.leastAssurance))
    var leastAssurance: Assurance?
    @Option(help: .of(.workflow))
    var workflow: Workflow?
    @Option(help: "File with the JWK of an attester whose word counts; given once or several times, the new list.")
    var attester: [String] = []
    @Option(help: "Add the attester whose JWK is in this file.") var addAttester: [String] = []
    @Option(help: "Remove the attester with this digest, as app show prints it.")
    var removeAttester: [String] = []
    @Option(help: .of(.appleTeam)) var appleTeam: String?
    @Flag(inversion: .prefixedNo, help: .of(.developmentKeys)) var developmentKeys: Bool?
    @Option(help: .of(.scripLifetime)) var scripLifetime: Int64?
    @Option(help: .of(.tokenLifetime)) var tokenLifetime: Int64?
    @Option(help: .of(.requestTimeTolerance)) var requestTimeTolerance: Int64?
    @Option(help: .ofNewList(.sourceIDs))
    var sourceID: [String] = []
    @Option(help: .of(.owner))
    var owner: String?
    @Option(help: "Add this source id.") var addSourceID: [String] = []
    @Option(help: "Remove this source id.") var removeSourceID: [String] = []
    @Flag(inversion: .prefixedNo, help: .of(.requiresPageReview))
    var requiresPageReview: Bool?
    @Option(help: .ofNewList(.approvedContent))
    var approvedContent: [String] = []
    @Option(help: "Add the page with this digest. Write a digest that begins with a dash behind an equals sign.")
    var addApprovedContent: [String] = []
    @Option(help: "Remove the page with this digest.") var removeApprovedContent: [String] = []
    @Flag(inversion: .prefixedNo, help: .of(.numberWithoutPage))
    var numberWithoutPage: Bool?
    @Flag(inversion: .prefixedNo, help: .of(.phonesWithoutKey)) var phonesWithoutKey: Bool?
    @Flag(inversion: .prefixedNo, help: .of(.unsignedRequests)) var unsignedRequests: Bool?
    @Option(
        help: ArgumentHelp(
            """
            Takes a value away, so that there is none or the policy's holds: \
            \(AppChanges.Clearable.allCases.map(\.rawValue).joined(separator: ", ")). May be given several times.
            """, valueName: "name"))
    var clear: [AppChanges.Clearable] = []
    @OptionGroup var why: ReasonOptions
    @Flag(help: "Print JSON.") var json = false

    func validate() throws {
        for (name, change) in lists where !change.list.isEmpty && !(change.adding + change.removing).isEmpty {
            throw ValidationError("--\(name) is the new list; leave out --add-\(name) and --remove-\(name)")
        }
        try AppCommand.refuseIdle(wideAddresses: wideAddresses, serverAddress + addServerAddress)
        if let dailyQuota, dailyQuota < 1 {
            throw ValidationError(
                "--daily-quota: 1 or more; benji app suspend stops an app, and --clear daily-quota ends the limit")
        }
        guard
            !changes(attesters: ListChange(attester, adding: addAttester, removing: removeAttester), key: rsaPublicKey)
                .isEmpty
        else { throw ValidationError("nothing to change was named") }
    }

    private var lists: [(String, ListChange)] {
        [
            ("bundle", ListChange(bundle, adding: addBundle, removing: removeBundle)),
            ("server-address", ListChange(serverAddress, adding: addServerAddress, removing: removeServerAddress)),
            (
                "capability",
                ListChange(
                    capability.map(\.rawValue), adding: addCapability.map(\.rawValue),
                    removing: removeCapability.map(\.rawValue))
            ),
            ("attester", ListChange(attester, adding: addAttester, removing: removeAttester)),
            ("source-id", ListChange(sourceID, adding: addSourceID, removing: removeSourceID)),
            (
                "approved-content",
                ListChange(approvedContent, adding: addApprovedContent, removing: removeApprovedContent)
            ),
        ]
    }

    /// - Parameters:
    ///   - attesters: with the contents of their files.
    ///   - key: the contents of the file of the RSA key.
    private func changes(attesters: ListChange, key: String?) -> AppChanges {
        var changes = AppChanges()
        changes.name = name
        let lists = Dictionary(uniqueKeysWithValues: lists)
        changes.bundles = lists["bundle"] ?? ListChange()
        changes.serverAddresses = lists["server-address"] ?? ListChange()
        changes.capabilities = lists["capability"] ?? ListChange()
        changes.sourceIDs = lists["source-id"] ?? ListChange()
        changes.owner = owner
        changes.approvedContent = lists["approved-content"] ?? ListChange()
        changes.attesters = attesters
        changes.appleTeam = appleTeam
        changes.developmentKeys = developmentKeys
        changes.acceptsWideAddresses = wideAddresses
        changes.openIDFromAnywhere = openidFromAnywhere
        changes.rsaPublicKey = key
        changes.signAlgorithm = sign
        changes.dailyQuota = dailyQuota
        changes.leastAssurance = leastAssurance
        changes.workflow = workflow
        changes.scripLifetime = scripLifetime
        changes.tokenLifetime = tokenLifetime
        changes.requestTimeTolerance = requestTimeTolerance
        changes.numberWithoutPage = numberWithoutPage
        changes.phonesWithoutKey = phonesWithoutKey
        changes.unsignedRequests = unsignedRequests
        changes.requiresPageReview = requiresPageReview
        changes.cleared = Set(clear)
        return changes
    }

    func run() async throws {
        let attesters = ListChange(
            try attester.map { try CommandFile.jsonText($0, for: "--attester") },
            adding: try addAttester.map { try CommandFile.jsonText($0, for: "--add-attester") },
            removing: removeAttester)
        let key = try rsaPublicKey.map { try PEMFile.publicKey($0, for: "--rsa-public-key") }
        let changes = changes(attesters: attesters, key: key)
        let app = try await options.order(ChangeApp(id, changes), reason: why.reason)
        AppCommand.show(app, json: json)
        guard app["openIDFromAnywhereEnded"] != nil, openidFromAnywhere == nil else { return }
        Terminal.note(
            "OpenID Connect and CAMARA answered this app's server everywhere; since addresses were named they answer "
                + "at those alone. "
                + "To have it as before: benji app set \(id) --openid-from-anywhere")
    }
}

extension AppChanges.Clearable: ExpressibleByArgument {}
