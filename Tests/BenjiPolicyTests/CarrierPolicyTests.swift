import BenjiPolicy
import BenjiProtocol
import Testing

@Suite struct CarrierPolicyTests {
    @Test("The standard policy survives its JSON")
    func roundTrip() throws {
        let policy = try CarrierPolicy(try JSON(parsing: CarrierPolicy.standard.json.serialized))
        #expect(policy == .standard)
        #expect(policy.carriers.count == 3)
    }

    @Test("Another operator is a record: it survives the policy's JSON, and stands behind China's three")
    func anotherOperator() throws {
        var policy = CarrierPolicy.standard
        let lion = try #require(Carrier(rawValue: "lion-mobile"))
        var entry = try #require(policy.carriers[.mobile])
        entry.name = LocalizedText("狮城移动", "Lion Mobile")
        entry.country = "SG"
        entry.networks = ["52501", "52511"]
        policy.carriers[lion] = entry
        #expect(policy.order == [.mobile, .unicom, .telecom, lion])
        #expect(try CarrierPolicy(try JSON(parsing: policy.json.serialized)) == policy)
    }

    @Test("A file of before names and countries is read as it was: what is known of the three need not be said")
    func olderFile() throws {
        let text = CarrierPolicy.standard.json.text
            .replacing(/"names":\{[^}]*\},"country":"CN","networks":\[\],/, with: "")
        #expect(!text.contains("names"))
        #expect(try CarrierPolicy(try JSON(parsing: text)) == .standard)
    }

    @Test(
        "A carrier's name is 1 to 32 small letters, digits and hyphens, a letter first",
        arguments: [
            ("m", true), ("mvno-170", true), (String(repeating: "a", count: 32), true), ("", false), ("1a", false),
            ("-a", false), ("Mobile", false), ("mobile ", false), ("移动", false), ("a.b", false),
            (String(repeating: "a", count: 33), false),
        ])
    func names(text: String, isName: Bool) {
        #expect((Carrier(rawValue: text) != nil) == isName)
    }

    @Test("A text for people that phones refuse is refused in the policy, with its path")
    func texts() throws {
        let good = CarrierPolicy.standard.json.text
        for (text, place) in [
            ("中国移动", "carriers.mobile.names.zh"), ("China Mobile", "carriers.mobile.names.en"),
            (CarrierPolicy.standard.version, "version"),
        ] {
            let bad = good.replacing("\"\(text)\"", with: "\"\(text)\u{202e}\"", maxReplacements: 1)
            #expect(bad != good)
            let error = #expect(throws: JSONError.self) { try CarrierPolicy(try JSON(parsing: bad)) }
            #expect(error?.place == "$.\(place)" && error?.problem.contains("U+202E") == true)
        }
    }

    @Test("A token of Benji's own dialect lives two minutes with every carrier", arguments: Carrier.documented)
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
        for carrier in Carrier.documented {
            for dialect in Dialect.all {
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
            (#""unicom":{"#, #""Unicom":{"#, "$.carriers.Unicom"),
            (
                #""unicom":{"enabled":true,"names":{"zh":"中国联通","en":"China Unicom"},"#, #""mvno":{"enabled":true,"#,
                "$.carriers.mvno.names"
            ),
            (#""en":"China Unicom""#, #""en":"""#, "$.carriers.unicom.names.en"),
            (
                #""en":"China Unicom"},"country":"CN""#, #""en":"China Unicom"},"country":"China""#,
                "$.carriers.unicom.country"
            ),
            (
                #""en":"China Unicom"},"country":"CN","networks":[]"#,
                #""en":"China Unicom"},"country":"CN","networks":["460"]"#, "$.carriers.unicom.networks[0]"
            ),
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
