import Authority
import BenjiProtocol
import Store

extension KnownClient {
    /// Refuses scopes that the app is not registered for: when they are asked for, and again when they are used.
    func check(_ scopes: [String]) throws(OpenIDFailure) {
        let areAsked = CAMARAScopes.areAsked(Set(scopes))
        for scope in areAsked ? scopes.compactMap(CAMARAScope.init) : [] {
            if let problem = app.record.lacks(scope) { throw OpenIDFailure(.unauthorizedClient, problem) }
        }
        guard areAsked || app.record.capabilities.contains(.login) else {
            throw OpenIDFailure(.unauthorizedClient, "the app is not registered for login")
        }
    }

    /// Refuses a login that was earned in a weaker way than the app now accepts.
    func check(_ context: AuthenticationContext?) throws(OpenIDFailure) {
        let least = app.record.leastAssurance
        guard let assurance = context?.assurance, assurance < least else { return }
        throw OpenIDFailure(
            .unauthorizedClient, "the login earned \(assurance.rawValue), the app accepts \(least.rawValue) or more")
    }

    /// Refuses what a browser may not ask for: such scopes, and any of an app to which a browser earns too little.
    func checkBrowser(_ scopes: [String]) throws(OpenIDFailure) {
        try check(scopes)
        if let problem = app.record.problemWithBrowsers { throw OpenIDFailure(.unauthorizedClient, problem) }
    }
}

extension AppRecord {
    /// The app's missing permission for a scope, or `nil`.
    func lacks(_ scope: CAMARAScope) -> String? {
        switch scope {
        case .verify:
            capabilities.contains(.verification) ? nil : "the app is not registered for verification"
        case .readNumber:
            // No page, no number (decision 17): but for the explicit grant, whose every use is audited.
            capabilities.contains(.login) && legacyNumberWithoutPage
                ? nil : "the app has no grant to be given a number without a page"
        case .simSwap, .checkSIMSwap, .readSIMSwapDate:
            capabilities.contains(.simSwap) ? nil : "the app is not registered for sim-swap"
        case .sendAndValidateCode:
            capabilities.contains(.smsCodes) ? nil : "the app is not registered for sms-codes"
        }
    }
}
