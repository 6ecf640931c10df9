import BenjiClient
import BenjiProtocol
import BenjiTesting
import FacadeScenarios
import OneTapShell
import Testing

@testable import GeYanSdk

/// Every way in which a carrier can end a request, as GeYan's `code`, `errorCode` and the carrier's own code tell it.
@Suite struct GeYanCodeTests {
    private typealias Ending = MagicNumber.Ending
    private typealias Met = [String: Set<Ending>]

    private static let unsuitable: Set<Ending> = [
        .noNetwork, .cellularDataOff, .noSIM, .addressUnknown, .subscriberUnsupported, .carrierUnsupported,
    ]
    private static let scrips: Set<Ending> = [.scripInvalid, .scripExpired, .scripReused, .subscriptionMismatch]
    private static let numberGone = scrips.union([.addressStale, .addressAmbiguous, .subscriptionChanged])
    private static let silent: Set<Ending> = [
        .networkFailure, .tlsFailure, .malformedResponse, .silence, .redirect, .serverDown, .nameNotResolved,
    ]

    private static func business(refused: String, silent: String) -> Met {
        [
            "-20202": [.noNetwork, .cellularDataOff, .noSIM, .addressUnknown], "-20203": [.carrierUnsupported],
            "-20204": scrips, silent: Self.silent,
            refused: [.addressStale, .addressAmbiguous, .subscriberUnsupported, .subscriptionChanged, .consentInvalid],
            "-50100": [.storeUnavailable, .overloaded, .internalError],
            "-50101": [
                .appUnknown, .appSuspended, .appNotAllowed, .capabilityMissing, .bundleMismatch, .appKeyWrong,
                .assuranceTooLow, .tooManyUnusedTokens, .tooManyRequests,
            ],
        ]
    }

    private struct Codes { var code: Met = [:], business: Met = [:], own: Met = [:] }

    private func met(_ ask: (Ending, GeYanLab) async -> ResultFields?) async -> Codes {
        var met = Codes()
        for ending in Ending.allCases {
            let lab = GeYanLab()
            let silences = await lab.carrier.silences
            let time = Task { [clock = lab.clock] in
                for await silence in silences { clock.advance(by: silence ?? Facade.geYan.timeout) }
            }
            defer { time.cancel() }
            let result = await ask(ending, lab)
            if case .number(let code)? = result?["code"] { met.code["\(code)", default: []].insert(ending) }
            if case .text(let code)? = result?["errorCode"] { met.business[code, default: []].insert(ending) }
            if case .fields(let metadata)? = result?["metadata"], case .text(let code)? = metadata["resultCode"] {
                met.own[code, default: []].insert(ending)
            }
        }
        return met
    }

    private func again(_ number: String) async -> Codes {
        await met { ending, lab in
            lab.carrier.number = number
            _ = await lab.prefetch()
            lab.clock.advance(by: .seconds(3601))
            lab.carrier.set(.prefetch, MagicNumber.Step(ending))
            return await lab.prefetch()
        }
    }

    private func token(_ number: String) async -> Codes {
        await met { ending, lab in
            lab.carrier.number = number
            _ = await lab.prefetch()
            lab.carrier.set(.authorize, MagicNumber.Step(ending))
            return await lab.logIn()
        }
    }

    @Test(
        "Asking for the number tells surroundings, refusals and silence apart, by the carrier that was named before",
        arguments: zip(
            ["13800000000", "13000000000", "18900000000"],
            [("-40101", "-40198"), ("-40201", "-40298"), ("-40301", "-40398")]))
    func number(_ number: String, _ codes: (String, String)) async {
        let met = await again(number)
        #expect(met.business == Self.business(refused: codes.0, silent: codes.1))
        let failed = Set(Ending.allCases).subtracting(Self.unsuitable).subtracting([.success])
        #expect(met.code == ["30000": [.success], "30001": Self.unsuitable, "30005": failed])
    }

    @Test(
        "Asking for the token has codes of its own, and one for a number that cannot be had any more",
        arguments: zip(
            ["13800000000", "13000000000", "18900000000"],
            [("-40102", "-40199"), ("-40204", "-40299"), ("-40302", "-40399")]))
    func token(_ number: String, _ codes: (String, String)) async {
        let met = await token(number)
        #expect(met.business == Self.business(refused: codes.0, silent: codes.1))
        let failed = Set(Ending.allCases).subtracting(Self.unsuitable).subtracting(Self.numberGone)
        #expect(
            met.code == [
                "30000": [.success], "30001": Self.unsuitable, "30006": failed.subtracting([.success]),
                "40047": Self.numberGone,
            ])
    }

    @Test("China Mobile's own code is told with every failure that its list knows")
    func mobile() async {
        let always: Met = [
            "102102": [.storeUnavailable, .overloaded], "103101": [.appKeyWrong], "103102": [.bundleMismatch],
            "103111": [.addressUnknown, .addressStale, .addressAmbiguous], "103119": [.appUnknown],
            "103211": [.internalError], "103902": Self.scrips.union([.subscriptionChanged]),
            "103911": [.tooManyUnusedTokens, .tooManyRequests], "105002": [.subscriberUnsupported],
            "105302": [.appSuspended, .appNotAllowed, .capabilityMissing], "200021": [.malformedResponse, .redirect],
            "200022": [.noNetwork], "200028": [.networkFailure, .tlsFailure, .serverDown, .nameNotResolved],
        ]
        let number: Met = ["200023": [.silence], "200027": [.cellularDataOff], "200048": [.noSIM]]
        #expect(await again("13800000000").own == always.merging(number) { $1 })
        // With a prefetch the SIM was there: mobile data has gone since.
        let token: Met = ["102507": [.silence], "200027": [.cellularDataOff, .noSIM]]
        #expect(await self.token("13800000000").own == always.merging(token) { $1 })
    }

    @Test("China Unicom's own code is told with every failure that its list knows")
    func unicom() async {
        let always: Met = [
            "100": [.appSuspended, .appNotAllowed], "101": [.appKeyWrong], "102": [.appUnknown],
            "105": [.bundleMismatch], "203": [.assuranceTooLow], "301": [.capabilityMissing],
            "303": [.tooManyUnusedTokens, .tooManyRequests], "1003": [.scripExpired],
            "1010": [.storeUnavailable, .overloaded], "1011": [.internalError], "2004": [.subscriberUnsupported],
            "3001": [.scripInvalid, .scripReused, .subscriptionMismatch, .subscriptionChanged],
            "3007": Self.silent, "3011": [.addressUnknown], "3012": [.addressStale, .addressAmbiguous],
        ]
        #expect(await again("13000000000").own == always.merging(["3005": [.cellularDataOff]]) { $1 })
        #expect(await token("13000000000").own == always.merging(["3005": [.cellularDataOff, .noSIM]]) { $1 })
    }

    @Test("China Telecom's own code is told with every failure that its list knows")
    func telecom() async {
        let always: Met = [
            "-64": [.appSuspended, .appNotAllowed, .capabilityMissing], "-65": [.tooManyRequests],
            "-10001": Self.scrips.union([.subscriberUnsupported, .subscriptionChanged]), "-10004": [.addressUnknown],
            "-10006": [.addressStale, .addressAmbiguous], "-10008": [.tooManyUnusedTokens], "-20005": [.appKeyWrong],
            "-20006": [.appUnknown, .bundleMismatch], "-20100": [.storeUnavailable, .overloaded, .internalError],
            "-8001": [.networkFailure, .tlsFailure, .serverDown], "-8003": [.silence], "-8100": [.noNetwork],
            "-8103": [.nameNotResolved],
            "-8201": [.malformedResponse, .redirect],
        ]
        #expect(await again("18900000000").own == always.merging(["-8004": [.cellularDataOff]]) { $1 })
        #expect(await token("18900000000").own == always.merging(["-8004": [.cellularDataOff, .noSIM]]) { $1 })
    }

    @Test(
        "What a scripted carrier never answers is spelled by the same lists",
        arguments: [
            (Carrier.mobile, Situation.invalidArgument, "30004", "200026"),
            (.mobile, .notConfigured, "30004", "200030"),
            (.mobile, .numberQuotaExceeded, "30005", "105021"),
            (.mobile, .userCancelled, "30003", "200020"), (.mobile, .switchAccount, "30002", "200060"),
            (.unicom, .carrierUnsupported, "30001", "300"), (.unicom, .appIDMissing, "30004", "400"),
            (.unicom, .parameterMissing, "30005", "401"), (.unicom, .invalidArgument, "30004", "402"),
            (.unicom, .malformedRequest, "30005", "1000"), (.unicom, .clockSkew, "30005", "1001"),
            (.unicom, .proofMissing, "30005", "1002"), (.telecom, .parameterInvalid, "30005", "-10002"),
            (.telecom, .clockSkew, "30005", "-10009"), (.telecom, .appIDMissing, "30004", "51002"),
            (.telecom, .invalidArgument, "30004", "-8002"), (.telecom, .notConfigured, "30004", "-8005"),
        ])
    func spelled(_ carrier: Carrier, _ situation: Situation, _ code: String, _ own: String) {
        var facts = Facts()
        facts.carrier = carrier
        let error = BenjiError(situation, "why")
        let fields = GeYanResults.spell(
            CallResult(facade: .geYan, call: .prefetch, value: .failed(error), facts: facts))
        #expect(fields["code"] == Int(code).map { .number($0) })
        #expect(
            fields["metadata"]
                == .fields([
                    "situation": .text(situation.rawValue), "description": .text(error.detail),
                    "resultCode": .text(own),
                ]))
    }
}
