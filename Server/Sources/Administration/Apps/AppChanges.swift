import Authority
package import BenjiProtocol
import Requests
package import Store

/// The changes to an app. A member that is `nil`, empty or absent keeps its value.
package struct AppChanges: Hashable, Sendable, Codable {
    /// The values that can be cleared, so that the policy's value or none holds.
    package enum Clearable: String, Hashable, Sendable, Codable, CaseIterable {
        case rsaPublicKey = "rsa-public-key"
        case dailyQuota = "daily-quota"
        case attesters
        case appleTeam = "apple-team"
        case scripLifetime = "scrip-lifetime"
        case tokenLifetime = "token-lifetime"
        case requestTimeTolerance = "request-time-tolerance"
        case approvedContent = "approved-content"
        case sourceIDs = "source-ids"
        case owner
    }

    package var name: String?
    package var bundles = ListChange()
    package var serverAddresses = ListChange()
    /// Whether blocks of server addresses wider than /16 (IPv4) or /48 (IPv6) are meant.
    package var acceptsWideAddresses = false
    package var openIDFromAnywhere: Bool?
    /// By their raw values.
    package var capabilities = ListChange()
    package var rsaPublicKey: String?
    package var signAlgorithm: SignAlgorithm?
    package var dailyQuota: Int?
    package var leastAssurance: Assurance?
    package var workflow: Workflow?
    /// JWKs; one that is removed may be named by its digest, as an app's description shows it.
    package var attesters = ListChange()
    package var appleTeam: String?
    package var developmentKeys: Bool?
    package var scripLifetime: Int64?
    package var tokenLifetime: Int64?
    package var requestTimeTolerance: Int64?
    package var numberWithoutPage: Bool?
    package var phonesWithoutKey: Bool?
    package var unsignedRequests: Bool?
    package var requiresPageReview: Bool?
    /// Page digests, or content digests of pages that the app draws itself.
    package var approvedContent = ListChange()
    package var sourceIDs = ListChange()
    package var owner: String?
    package var cleared: Set<Clearable> = []

    package init() {}

    /// As an app's description names them.
    private enum CodingKeys: String, CodingKey {
        case name, bundles, serverAddresses
        case acceptsWideAddresses = "wideAddresses"
        case openIDFromAnywhere, capabilities, rsaPublicKey
        case signAlgorithm = "sign"
        case dailyQuota, leastAssurance, workflow, attesters, appleTeam, developmentKeys, scripLifetime, tokenLifetime,
            requestTimeTolerance,
            numberWithoutPage
        case phonesWithoutKey, unsignedRequests, approvedContent, requiresPageReview, sourceIDs, owner
        case cleared = "clear"
    }

    /// Whether it names anything that would change.
    package var isEmpty: Bool {
        var bare = self
        bare.acceptsWideAddresses = false
        return bare == AppChanges()
    }

    /// The first changed member that only an operator may set, spelled as on the command line. Such members show on
    /// pages, open an app to more people, weaken its proofs or cost the operator. A developer decides about bundle ids,
    /// server addresses, request signatures and shorter lifetimes.
    package var operatorsPart: String? {
        let named: [(Bool, String)] = [
            (name != nil, "name"), (acceptsWideAddresses, "wide-addresses"),
            (openIDFromAnywhere == true, "openid-from-anywhere"), (!capabilities.isEmpty, "capability"),
            (dailyQuota != nil || cleared.contains(.dailyQuota), "daily-quota"),
            (leastAssurance != nil, "least-assurance"), (workflow != nil, "workflow"),
            (!attesters.isEmpty || cleared.contains(.attesters), "attester"),
            (appleTeam != nil || cleared.contains(.appleTeam), "apple-team"),
            (developmentKeys == true, "development-keys"),
            (requestTimeTolerance != nil || cleared.contains(.requestTimeTolerance), "request-time-tolerance"),
            (numberWithoutPage == true, "number-without-page"), (phonesWithoutKey == true, "phones-without-key"),
            (unsignedRequests == true, "unsigned-requests"),
            (requiresPageReview != nil, "requires-page-review"),
            (!approvedContent.isEmpty || cleared.contains(.approvedContent), "approved-content"),
            (!sourceIDs.isEmpty || cleared.contains(.sourceIDs), "source-id"),
            (owner != nil || cleared.contains(.owner), "owner"),
        ]
        return named.first(where: \.0)?.1
    }

    /// Checks that no lifetime became longer: a developer may only shorten them.
    static func checkLives(from before: AppRecord, to after: AppRecord) throws(Refusal) {
        for (name, old, new) in [
            ("scrip-lifetime", before.scripLifetime, after.scripLifetime),
            ("token-lifetime", before.tokenLifetime, after.tokenLifetime),
        ] {
            guard let old, new.map({ $0 > old }) ?? true else { continue }
            throw Refusal(
                .orderNotPermitted,
                "\(name): the operator decides about longer lives, a developer only about shorter ones")
        }
    }

    func apply(to app: inout AppRecord) throws(Refusal) {
        let isSet: [(Clearable, Bool)] = [
            (.rsaPublicKey, rsaPublicKey != nil), (.dailyQuota, dailyQuota != nil), (.attesters, !attesters.isEmpty),
            (.appleTeam, appleTeam != nil),
            (.scripLifetime, scripLifetime != nil), (.tokenLifetime, tokenLifetime != nil),
            (.requestTimeTolerance, requestTimeTolerance != nil), (.approvedContent, !approvedContent.isEmpty),
            (.sourceIDs, !sourceIDs.isEmpty), (.owner, owner != nil),
        ]
        for (clearable, isSet) in isSet where isSet && cleared.contains(clearable) {
            throw Refusal(.parameterInvalid, "\(clearable.rawValue): is set and taken away at once")
        }
        for clearable in cleared { clear(clearable, of: &app) }
        if let name { app.name = name }
        app.settleOpenIDFromAnywhere(openIDFromAnywhere, namesAddresses: !serverAddresses.named.isEmpty)
        try bundles.apply(to: &app.bundleIDs, of: "bundle id")
        try serverAddresses.apply(to: &app.serverAddresses, of: "server address")
        try applyCapabilities(to: &app)
        if let rsaPublicKey { app.rsaPublicKey = rsaPublicKey }
        if let signAlgorithm { app.signAlgorithm = signAlgorithm }
        if let dailyQuota { app.dailyQuota = dailyQuota }
        if let leastAssurance { app.leastAssurance = leastAssurance }
        if let workflow { app.workflow = workflow }
        try applyAttesters(to: &app)
        if let appleTeam { app.appleTeam = appleTeam }
        if let developmentKeys { app.takesDevelopmentKeys = developmentKeys }
        if let scripLifetime { app.scripLifetime = scripLifetime }
        if let tokenLifetime { app.tokenLifetime = tokenLifetime }
        if let requestTimeTolerance { app.requestTimeTolerance = requestTimeTolerance }
        if let numberWithoutPage { app.legacyNumberWithoutPage = numberWithoutPage }
        if let phonesWithoutKey { app.phonesWithoutKey = phonesWithoutKey }
        if let unsignedRequests { app.unsignedRequests = unsignedRequests }
        if let requiresPageReview { app.requiresPageReview = requiresPageReview }
        try approvedContent.apply(to: &app.approvedContent, of: "approved page")
        try sourceIDs.apply(to: &app.sourceIDs, of: "source id")
        if let owner { app.owner = owner }
    }

    private func clear(_ clearable: Clearable, of app: inout AppRecord) {
        switch clearable {
        case .rsaPublicKey: app.rsaPublicKey = nil
        case .dailyQuota: app.dailyQuota = nil
        case .attesters: app.attesters = []
        case .appleTeam: app.appleTeam = nil
        case .scripLifetime: app.scripLifetime = nil
        case .tokenLifetime: app.tokenLifetime = nil
        case .requestTimeTolerance: app.requestTimeTolerance = nil
        case .approvedContent: app.approvedContent = []
        case .sourceIDs: app.sourceIDs = []
        case .owner: app.owner = nil
        }
    }

    private func applyCapabilities(to app: inout AppRecord) throws(Refusal) {
        guard !capabilities.isEmpty else { return }
        var names = app.capabilities.map(\.rawValue).sorted()
        try capabilities.apply(to: &names, of: "capability")
        var wanted: Set<Capability> = []
        for name in names {
            guard let capability = Capability(rawValue: name) else {
                let known = Capability.allCases.map(\.rawValue).joined(separator: ", ")
                throw Refusal(.parameterInvalid, "there is no capability \(name.prefix(64)); there are \(known)")
            }
            wanted.insert(capability)
        }
        app.capabilities = wanted
    }

    private func applyAttesters(to app: inout AppRecord) throws(Refusal) {
        var change = attesters
        let present = app.attesters
        change.removing = change.removing.map { named in
            present.first { AppRecord.digest($0) == named } ?? named
        }
        try change.apply(to: &app.attesters, of: "attester")
    }
}
