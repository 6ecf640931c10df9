import ShortMessages
import Testing

struct MessageReferenceTests {
    @Test(
        "a receipt finds the message of an answer whose id has another form, where comparing the ids loses it",
        arguments: [
            ("https://github.com/opentelecoms-org/jsmpp/issues/56", "33E95179", "870928761"),
            ("https://github.com/jookies/jasmin/issues/586", "812FC7470000001B", "9308878062554710043"),
            ("https://github.com/jookies/jasmin/issues/535", "281605133", "10C8F40D"),
            ("https://github.com/MavoCz/smscsim/issues/4", "0000001f", "31"),
            ("https://github.com/jookies/jasmin/issues/1129", "BBA622", "00BBA622"),
            ("SMPP 3.4, appendix B: ten digits", "29095", "0000029095"),
            ("https://github.com/jookies/jasmin/issues/1190", "8e88b4a", "08E88B4A"),
            (
                "https://github.com/jookies/jasmin/issues/521", "beb0afe1-570a-45e8-9206-e8db4d342e5b",
                "BEB0AFE1-570A-45E8-9206-E8DB4D342E5B"
            ),
        ])
    func forms(source: String, answer: String, receipt: String) {
        #expect(answer != receipt)
        let ids = MessageReference.candidates(receipt) + MessageReference.otherBases(receipt)
        #expect(ids.contains(MessageReference.kept(answer)), "\(source)")
    }

    @Test(
        "an id is looked for as it is kept, as version 0.1 kept it, and in the other base if it is a number",
        arguments: [
            ("100", ["100"], ["64", "256"]), ("00Ff", ["ff", "00Ff"], ["255"]), ("r-0100", ["r-0100"], []),
            ("33E95179", ["33e95179", "33E95179"], ["870928761"]),
            ("0000029095", ["29095", "0000029095"], ["71a7", "168085"]), ("7", ["7"], []), ("000", ["0", "000"], []),
            ("", [""], []),
        ] as [(String, [String], [String])])
    func order(id: String, same: [String], others: [String]) {
        #expect(MessageReference.candidates(id) == same)
        #expect(MessageReference.otherBases(id) == others)
    }

    @Test("the number of an id may be greater than any that is calculated with")
    func long() {
        let digits = "171026125222636445993424531920"
        #expect(MessageReference.candidates("0" + digits) == [digits, "0" + digits])
        #expect(MessageReference.otherBases(digits) == [])
        #expect(MessageReference.candidates("18446744073709551615") == ["18446744073709551615"])
        #expect(MessageReference.otherBases("18446744073709551615") == ["ffffffffffffffff"])
    }
}
