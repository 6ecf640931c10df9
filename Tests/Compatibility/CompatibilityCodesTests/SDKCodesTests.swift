import BenjiFaceProtocol
import BenjiProtocol
import GeYanCodes
import OneLoginCodes
import SuperIDCodes
import Testing

/// The codes of GeYan's and OneLogin's documents, written from the documents and not from the code that is tested.
@Suite struct SDKCodesTests {
    private typealias Step = CodeColumn.Step

    private static let situations = Situation.ofNumberLogin + Situation.ofFaceLogin

    /// All situations that end in `code`, with whichever carrier and in whichever step.
    private func situations(for code: String, in column: CodeColumn) -> [Situation] {
        Self.situations.filter { situation in
            ([nil] + Carrier.documented.map(Optional.some)).contains { carrier in
                ([nil] + Step.allCases.map(Optional.some)).contains {
                    self.code(situation, column, carrier, $0) == code
                }
            }
        }
    }

    private func code(
        _ situation: Situation, _ column: CodeColumn, _ carrier: Carrier? = nil, _ step: Step? = nil
    ) -> String? {
        column.code(for: situation, carrier: carrier, step: step)?.code
    }

    @Test(
        "What the app or the person did has OneLogin's code in both documents",
        arguments: [
            (Situation.notConfigured, "-20101"), (.prefetchRunning, "-20102"), (.loginRunning, "-20103"),
            (.cellularDataOff, "-20202"), (.carrierUnsupported, "-20203"), (.prefetchMissing, "-20204"),
            (.prefetchExpired, "-20204"), (.userCancelled, "-20302"), (.switchAccount, "-20303"),
        ])
    func shared(situation: Situation, expected: String) {
        for carrier in [nil] + Carrier.documented.map(Optional.some) {
            for step in Step.allCases {
                #expect(code(situation, .oneLogin, carrier, step) == expected)
                #expect(code(situation, .geyanBusiness, carrier, step) == expected)
            }
        }
    }

    @Test("A carrier's refusal and a carrier's silence have a code each, for the number and for the token")
    func carriers() {
        let rows: [(Carrier, [String])] = [
            (.mobile, ["-40101", "-40198", "-40102", "-40199"]),
            (.unicom, ["-40201", "-40298", "-40202", "-40299"]),
            (.telecom, ["-40301", "-40398", "-40302", "-40399"]),
        ]
        for (carrier, expected) in rows {
            var codes: [String?] = []
            for step in [Step.prefetch, .authorize] {
                codes.append(code(.addressStale, .oneLogin, carrier, step))
                codes.append(code(.networkFailure, .oneLogin, carrier, step))
            }
            #expect(codes == expected)
        }
    }

    @Test("A carrier that the documents do not know ends in the service's own codes, as one that nobody has named yet")
    func otherCarrier() throws {
        let other = try #require(Carrier(rawValue: "mvno-170"))
        for situation in Self.situations {
            for step in Step.allCases {
                #expect(code(situation, .oneLogin, other, step) == code(situation, .oneLogin, nil, step))
                #expect(code(situation, .geyanBusiness, other, step) == code(situation, .geyanBusiness, nil, step))
            }
        }
    }

    @Test("China Unicom's refusal of a token is -40202 in OneLogin's document and -40204 in GeYan's document")
    func unicomToken() {
        #expect(code(.subscriptionChanged, .oneLogin, .unicom, .authorize) == "-40202")
        #expect(code(.subscriptionChanged, .geyanBusiness, .unicom, .authorize) == "-40204")
        #expect(situations(for: "-40204", in: .oneLogin) == [])
        #expect(situations(for: "-40202", in: .geyanBusiness) == [])
    }

    @Test("Before a carrier is known the service's own codes stand for its failures")
    func unknownCarrier() {
        #expect(code(.malformedResponse, .oneLogin, nil, .prefetch) == "-50100")
        #expect(code(.appUnknown, .oneLogin, nil, .prefetch) == "-50101")
        #expect(code(.networkFailure, .oneLogin, nil, .prefetch) == "-50102")
    }

    @Test("-20102 is a second prefetch in OneLogin's document and a refused app in GeYan 3")
    func renumbered() {
        #expect(situations(for: "-20102", in: .oneLogin).contains(.prefetchRunning))
        #expect(!situations(for: "-20102", in: .oneLogin).contains(.prefetchMissing))
        #expect(situations(for: "-20102", in: .geyan3Business).contains(.appUnknown))
        #expect(situations(for: "-20102", in: .geyanTelecom) == [])
    }

    @Test("GeYan's code says at which step it failed, and keeps the person's own choices apart")
    func geyan() {
        #expect(code(.userCancelled, .geyan, nil, .authorize) == "30003")
        #expect(code(.switchAccount, .geyan, nil, .authorize) == "30002")
        #expect(code(.cellularDataOff, .geyan, nil, .prefetch) == "30001")
        #expect(code(.networkFailure, .geyan, nil, .prefetch) == "30005")
        #expect(code(.networkFailure, .geyan, nil, .authorize) == "30006")
        #expect(code(.addressAmbiguous, .geyan, nil, .authorize) == "40047")
        #expect(code(.notConfigured, .geyan) == "30004")
        #expect(code(.networkFailure, .geyan3, nil, .prefetch) == "30005")
        #expect(code(.networkFailure, .geyan3, nil, .authorize) == "30006")
        #expect(code(.networkFailure, .geyan3, nil, .verify) == "30007")
    }

    @Test("A carrier's list has no code for what is between the app and the vendor")
    func carriersLists() {
        for column in [CodeColumn.geyanMobile, .geyanUnicom, .geyanTelecom] {
            #expect(code(.success, column) == nil)
            #expect(code(.prefetchRunning, column) == nil)
            #expect(code(.processIDUnknown, column) == nil)
            #expect(code(.addressUnknown, column) != nil)
        }
        #expect(code(.timedOut, .geyanMobile, .mobile, .prefetch) == "200023")
        #expect(code(.timedOut, .geyanMobile, .mobile, .authorize) == "102507")
    }

    @Test(
        "What SuperID's document does not name is -1000 in a login and -1006 in a binding; everything else is the same")
    func bindingBySuperID() {
        for situation in Self.situations {
            let login = CodeColumn.superID.code(for: situation)
            let binding = CodeColumn.superIDBinding.code(for: situation)
            #expect(binding?.code == (login?.code == "-1000" ? "-1006" : login?.code), "\(situation)")
            #expect(binding?.note == login?.note, "\(situation)")
        }
    }
}
