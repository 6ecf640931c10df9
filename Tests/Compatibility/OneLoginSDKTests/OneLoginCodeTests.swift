import BenjiTesting
import FacadeScenarios
import OneLoginSDK
import OneTapShell
import Testing

/// Every way in which a carrier can end a request, as OneLogin's `errorCode` reports it.
@Suite struct OneLoginCodeTests {
    private typealias Ending = MagicNumber.Ending
    private typealias Met = [String: Set<Ending>]

    private static let appsOwn: Set<Ending> = [
        .appUnknown, .appSuspended, .appNotAllowed, .capabilityMissing, .bundleMismatch, .appKeyWrong, .assuranceTooLow,
        .tooManyUnusedTokens, .tooManyRequests,
    ]
    private static let scrips: Set<Ending> = [.scripInvalid, .scripExpired, .scripReused, .subscriptionMismatch]
    private static let refused: Set<Ending> = [
        .addressStale, .addressAmbiguous, .subscriberUnsupported, .subscriptionChanged, .consentInvalid,
    ]
    private static let silent: Set<Ending> = [.networkFailure, .tlsFailure, .serverDown, .nameNotResolved, .silence]
    private static let unreadable: Set<Ending> = [.malformedResponse, .redirect]
    private static let servers: Set<Ending> = [.storeUnavailable, .overloaded, .internalError]
    private static let alike: Met = [
        "-20202": [.noNetwork, .cellularDataOff, .noSIM, .addressUnknown], "-20203": [.carrierUnsupported],
        "-20204": scrips,
    ]

    private func met(_ ask: (Ending, OneLoginLab) async -> ResultFields?) async -> Met {
        var met: Met = [:]
        for ending in Ending.allCases where ending != .success {
            let lab = OneLoginLab()
            let silences = await lab.carrier.silences
            let time = Task { [clock = lab.clock] in
                for await silence in silences { clock.advance(by: silence ?? Facade.oneLogin.timeout) }
            }
            if case .text(let code)? = await ask(ending, lab)?["errorCode"] { met[code, default: []].insert(ending) }
            time.cancel()
        }
        return met
    }

    @Test("Before a carrier is known the service's own codes tell refusals, silence and what cannot be read apart")
    func first() async {
        let met = await met { ending, lab in
            lab.carrier.set(.prefetch, MagicNumber.Step(ending))
            return await lab.prefetch()
        }
        let expected: Met = [
            "-50100": Self.unreadable.union(Self.servers), "-50101": Self.appsOwn.union(Self.refused),
            "-50102": Self.silent,
        ]
        #expect(met == expected.merging(Self.alike) { $1 })
    }

    @Test(
        "Once a carrier is known its codes tell refusals from silence when the number is asked for again",
        arguments: zip(
            ["13800000000", "13000000000", "18900000000"],
            [("-40101", "-40198"), ("-40201", "-40298"), ("-40301", "-40398")]))
    func again(_ number: String, _ codes: (String, String)) async {
        let met = await met { ending, lab in
            lab.carrier.number = number
            _ = await lab.prefetch()
            lab.clock.advance(by: .seconds(3601))
            lab.carrier.set(.prefetch, MagicNumber.Step(ending))
            return await lab.prefetch()
        }
        let expected: Met = [
            codes.0: Self.refused, codes.1: Self.silent.union(Self.unreadable), "-50100": Self.servers,
            "-50101": Self.appsOwn,
        ]
        #expect(met == expected.merging(Self.alike) { $1 })
    }

    @Test(
        "The carrier's codes for the token are others than for the number",
        arguments: zip(
            ["13800000000", "13000000000", "18900000000"],
            [("-40102", "-40199"), ("-40202", "-40299"), ("-40302", "-40399")]))
    func token(_ number: String, _ codes: (String, String)) async {
        let met = await met { ending, lab in
            lab.carrier.number = number
            _ = await lab.prefetch()
            lab.carrier.set(.authorize, MagicNumber.Step(ending))
            return await lab.logIn()
        }
        let expected: Met = [
            codes.0: Self.refused, codes.1: Self.silent.union(Self.unreadable), "-50100": Self.servers,
            "-50101": Self.appsOwn,
        ]
        #expect(met == expected.merging(Self.alike) { $1 })
    }

    @Test("Where a request failed in the network, metaData has Cocoa's code")
    func cocoa() async {
        var met: [Ending: Int] = [:]
        for ending in Ending.allCases {
            let lab = OneLoginLab()
            let silences = await lab.carrier.silences
            let time = Task { [clock = lab.clock] in
                for await silence in silences { clock.advance(by: silence ?? Facade.oneLogin.timeout) }
            }
            lab.carrier.set(.prefetch, MagicNumber.Step(ending))
            if case .fields(let metadata)? = await lab.prefetch()?["metaData"],
                case .number(let code)? = metadata["code"]
            {
                met[ending] = code
            }
            time.cancel()
        }
        #expect(
            met == [
                .noNetwork: -1009, .cellularDataOff: -1009, .silence: -1001, .networkFailure: -1005, .serverDown: -1004,
                .nameNotResolved: -1003,
                .malformedResponse: -1017, .redirect: -1017, .tlsFailure: -1200,
            ])
    }
}
