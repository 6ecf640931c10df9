import BenjiProtocol
import Testing

@Suite struct CarrierPolicyTests {
    @Test("The standard policy survives its JSON")
    func roundTrip() throws {
        let policy = try CarrierPolicy(try JSON(parsing: CarrierPolicy.standard.json.serialized))
        #expect(policy == .standard)
        #expect(policy.carriers.count == 3)
    }

    @Test("A token of Benji's own dialect lives two minutes with every carrier", arguments: Carrier.allCases)
    func ownTokens(carrier: Carrier) {
        #expect(CarrierPolicy.standard.lifetimes(carrier, .device)?.token == 120)
    }

    @Test("Documented lifetimes: scrip 60 minutes with CM and ten with the others; GeYan's once")
    func documented() {
        #expect(CarrierPolicy.standard.lifetimes(.mobile, .cmpassport)?.scrip == 3600)
        #expect(CarrierPolicy.standard.lifetimes(.unicom, .device)?.scrip == 600)
        #expect(CarrierPolicy.standard.lifetimes(.telecom, .device)?.scrip == 600)
        #expect(
            CarrierPolicy.standard.lifetimes(.mobile, .geyan) == .init(scrip: 600, scripReusable: false, token: 120))
        // China Unicom's own thirty minutes would outlive the process id that the token is redeemed beside.
        for dialect in [Dialect.onelogin, .geyan] {
            #expect(CarrierPolicy.standard.lifetimes(.unicom, dialect)?.token == 600)
            #expect(CarrierPolicy.standard.lifetimes(.mobile, dialect)?.token == 120)
        }
        for carrier in Carrier.allCases {
            for dialect in Dialect.allCases {
                #expect(
                    (CarrierPolicy.standard.lifetimes(carrier, dialect)?.token ?? 0) < 86400,
                    "thirty days must be asked for")
            }
        }
    }

    @Test("A dialect without a row of its own lives by the device row")
    func fallback() {
        #expect(
            CarrierPolicy.standard.lifetimes(.mobile, .camara) == CarrierPolicy.standard.lifetimes(.mobile, .device))
        var policy = CarrierPolicy.standard
        policy.carriers[.unicom] = nil
        #expect(policy.lifetimes(.unicom, .device) == nil)
    }

    @Test(
        "An operator's mistake is named by its path",
        arguments: [
            (#""version":"2026-11""#, #""version":"""#, "$.version"),
            (#""perApp":30"#, #""perApp":0"#, "$.unusedTokens.perApp"),
            (#""perApp":30"#, #""perApp":"30""#, "$.unusedTokens.perApp"),
            (#""windowSeconds":600"#, #""windowSeconds":600,"x":1"#, "$.unusedTokens.x"),
            (#""mobile":{"enabled":true"#, #""mobile":{"enabled":1"#, "$.carriers.mobile.enabled"),
            (#""unicom":{"#, #""verizon":{"#, "$.carriers.verizon"),
            ("https://e.189.cn", "http://e.189.cn", "$.carriers.telecom.page.termsURL"),
            (#""slogan":"中国移动提供认证服务""#, #""slogan":"""#, "$.carriers.mobile.page.slogan"),
            (#""scripSeconds":3600"#, #""scripSeconds":86401"#, "$.carriers.mobile.lifetimes.device.scripSeconds"),
            (#""tokenSeconds":600"#, #""tokenSeconds":2592001"#, "$.carriers.unicom.lifetimes.onelogin.tokenSeconds"),
            (#""device":{"#, #""devise":{"#, "$.carriers.mobile.lifetimes.devise"),
        ])
    func errors(part: String, replacement: String, place: String) throws {
        let text = CarrierPolicy.standard.json.text
        #expect(text.contains(part))
        let spoilt = try JSON(parsing: text.replacing(part, with: replacement))
        let error = #expect(throws: JSONError.self) { try CarrierPolicy(spoilt) }
        #expect(error?.place == place)
    }

    @Test("A carrier without the device row is refused: nothing would stand in for missing dialects")
    func deviceRow() throws {
        var policy = CarrierPolicy.standard
        policy.carriers[.mobile]?.lifetimes[.device] = nil
        let json = policy.json
        let error = #expect(throws: JSONError.self) { try CarrierPolicy(json) }
        #expect(error?.place == "$.carriers.mobile.lifetimes.device")
    }
}
