import BenjiProtocol
import Store
import Testing

@testable import Authority
@testable import OpenIDProvider

/// The requests that a client may make, by the registration of its app.
struct KnownClientTests {
    private func known(_ change: (inout AppRecord) -> Void = { _ in }) -> KnownClient {
        let id = AppID(rawValue: "300000000001")!
        var app = AppRecord(
            id: id, name: "Shop", keys: [], capabilities: [], bundleIDs: [], serverAddresses: [],
            createdAt: Timestamp(milliseconds: 0))
        change(&app)
        return KnownClient(
            app: RegisteredApp(record: app, key: AppKey("key")),
            record: OpenIDClientRecord(
                appID: id, redirectURIs: [], authentication: .privateKeyJWT, secrets: [], keySet: nil,
                idTokenAlgorithm: .es256, asksMiddleDigits: false, requiresPushedRequests: false, page: "{}"))
    }

    private func isRefused(_ check: () throws(OpenIDFailure) -> Void) -> Bool {
        do { try check() } catch { return error.error == .unauthorizedClient }
        return false
    }

    @Test("each scope needs its own capability, and no other", arguments: CAMARAScope.allCases)
    func scopes(scope: CAMARAScope) {
        let needed: Capability =
            switch scope {
            case .verify: .verification
            case .readNumber: .login
            case .simSwap, .checkSIMSwap, .readSIMSwapDate: .simSwap
            case .sendAndValidateCode: .smsCodes
            }
        let asked = [scope.rawValue, "dpv:Marketing"]
        for capability in Capability.allCases {
            let client = known { ($0.capabilities, $0.legacyNumberWithoutPage) = ([capability], true) }
            #expect(isRefused { () throws(OpenIDFailure) in try client.check(asked) } == (capability != needed))
            #expect(isRefused { () throws(OpenIDFailure) in try client.checkBrowser(asked) } == (capability != needed))
        }
        // A number without a page needs the explicit grant besides.
        let client = known { $0.capabilities = [needed] }
        #expect(isRefused { () throws(OpenIDFailure) in try client.check(asked) } == (scope == .readNumber))
    }

    @Test("a login needs the capability, and a browser an app that accepts what it earns")
    func login() {
        for capability in Capability.allCases {
            let client = known { $0.capabilities = [capability] }
            let asked = ["openid", "phone"]
            #expect(isRefused { () throws(OpenIDFailure) in try client.check(asked) } == (capability != .login))
        }
        for assurance in Assurance.allCases {
            let client = known { ($0.capabilities, $0.leastAssurance) = ([.login], assurance) }
            #expect(isRefused { () throws(OpenIDFailure) in try client.checkBrowser(["openid"]) } == (assurance > .net))
            for context in AuthenticationContext.allCases {
                let isTooLow = context.assurance < assurance
                #expect(isRefused { () throws(OpenIDFailure) in try client.check(context) } == isTooLow)
            }
            let none: AuthenticationContext? = nil
            #expect(!isRefused { () throws(OpenIDFailure) in try client.check(none) })
        }
    }

    @Test(
        """
        number verification is for the phone's own network, codes for numbers that the app names, and the rest for both
        """
    )
    func kinds() {
        #expect(CAMARAScope.allCases.filter(\.isOfNumberVerification) == [.verify, .readNumber])
        #expect(CAMARAScope.allCases.filter(\.isOfNamedNumbers) == [.sendAndValidateCode])
        #expect(CAMARAScope.allCases.filter(\.isOfBackchannel) == [.simSwap, .checkSIMSwap, .readSIMSwapDate])
        #expect(CAMARAScopes.areAsked(["dpv:X"]) && CAMARAScopes.areAsked(["openid", "sim-swap"]))
        #expect(!CAMARAScopes.areAsked(["openid", "phone", "dpv"]) && !CAMARAScopes.areAsked([]))
    }
}
