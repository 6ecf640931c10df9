@_spi(Server) import BenjiProtocol
import Testing

@Suite struct PhoneNumberTests {
    @Test(
        "A number is read as a feed or a person writes it",
        arguments: [
            ("13800138000", "8613800138000"), ("+8613800138000", "8613800138000"), ("008613800138000", "8613800138000"),
            ("8613800138000", "8613800138000"), ("+14155552671", "14155552671"), ("+442079460958", "442079460958"),
            ("+11234567890", "11234567890"), ("123456789012345", "123456789012345"),
        ])
    func reading(text: String, e164: String) throws {
        #expect(try #require(PhoneNumber(text)).e164 == e164)
    }

    @Test(
        "What is not a number is refused",
        arguments: [
            "", "+", "00", "10086", "138001", "1380013800013800", "138-0013-8000", "138 0013 8000", " 13800138000",
            "13800138000\n",
            "1380013800a", "１３８００１３８０００", "+0013800138000", "+08613800138000", "BankAlert", "tel:+8613800138000",
            "++8613800138000",
        ])
    func refusing(text: String) {
        #expect(PhoneNumber(text) == nil)
    }

    @Test("The mask shows the first three and last four digits at most")
    func masks() throws {
        #expect(try #require(PhoneNumber("13800130000")).masked == "138****0000")
        #expect(try #require(PhoneNumber("13800130000")).masked(with: "X") == "138XXXX0000")
        #expect(try #require(PhoneNumber("+4520794609")).masked == "45******09")
        #expect(try #require(PhoneNumber("1234567")).masked == "12***67")
        #expect(try #require(PhoneNumber("123456789012345")).masked == "123********2345")
    }

    @Test(
        "A number of mainland China is a phone's if its range is assigned; it is read, shown and masked all the same",
        arguments: [
            ("14900000001", true), ("19200000001", true), ("13800000001", true), ("15400000001", false),
            ("16000000001", false), ("14100000001", false), ("12000000001", false),
        ])
    func ranges(text: String, isMobile: Bool) throws {
        // A double that looks at the form alone would send messages to unassigned numbers.
        #expect(text.hasPrefix("12") || MainlandMobile.hasForm(Array(text.utf8)))
        let number = try #require(PhoneNumber(text))
        #expect(number.isMainlandMobile == isMobile && number.mayBeMobile == isMobile)
        #expect(number.national == text && number.masked == "\(text.prefix(3))****\(text.suffix(4))")
        #expect(try #require(PhoneNumber("+" + number.e164)) == number)
    }

    @Test("Whether a number of another country is a phone's is not told from its digits")
    func abroad() throws {
        for text in ["+447700900123", "+85291234567"] {
            let number = try #require(PhoneNumber(text))
            #expect(number.mayBeMobile && !number.isMainlandMobile)
        }
        #expect(try #require(PhoneNumber("+861012345678")).mayBeMobile == false, "a landline of Beijing")
    }

    @Test("Nothing that prints, dumps or reflects a number shows its hidden digits")
    func neverPrinted() throws {
        struct Holder {
            var number: PhoneNumber
            var optional: PhoneNumber?
        }
        let number = try #require(PhoneNumber("13856789012"))
        let holder = Holder(number: number, optional: number)
        var dumped = ""
        dump(number, to: &dumped)
        dump(holder, to: &dumped)
        dump([number: [number]], to: &dumped)
        struct Failure: Error { var number: PhoneNumber }
        let texts = [
            number.description, number.debugDescription, String(describing: number), String(reflecting: number),
            "\(number)",
            "\(holder)", String(reflecting: holder), "\([number])", "\([number: number])", "\(Optional(number) as Any)",
            String(reflecting: Failure(number: number)), "\(Failure(number: number))", "\(Mirror(reflecting: number))",
            dumped,
            "\(\PhoneNumber.masked)", "\(number.hashValue)",
        ]
        for text in texts {
            #expect(!text.contains("13856789012"))
            #expect(!text.contains("5678"), "\(text)")
        }
        #expect(Mirror(reflecting: number).children.isEmpty)
        #expect(Mirror(reflecting: number).superclassMirror == nil)
        #expect(dumped.contains("138****9012"), "a dump shows the mask, so this test looks at the right text")
    }
}
