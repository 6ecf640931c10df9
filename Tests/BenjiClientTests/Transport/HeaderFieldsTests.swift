import BenjiClient
import Testing

@Suite("Header fields")
struct HeaderFieldsTests {
    @Test("names compare without regard to ASCII case, and only to that")
    func caseInsensitive() {
        let fields: HeaderFields = ["Content-Type": "application/json"]
        #expect(fields["content-type"] == "application/json")
        #expect(fields["CONTENT-TYPE"] == "application/json")
        #expect(fields["content_type"] == nil)
        // U+212A, the Kelvin sign, is a "k" to a locale but not to HTTP.
        let keep: HeaderFields = ["Keep": "1"]
        #expect(keep["\u{212A}eep"] == nil)
    }

    @Test("setting replaces every line of a name; appending keeps them, in order")
    func settingAndAppending() {
        var fields: HeaderFields = ["A": "1", "B": "2", "a": "3"]
        #expect(fields.values("A") == ["1", "3"])
        fields.append("A", "4")
        #expect(fields.values("a") == ["1", "3", "4"])
        fields["a"] = "5"
        #expect(fields.values("A") == ["5"])
        #expect(fields.count == 2)
        fields["B"] = nil
        #expect(fields.values("B").isEmpty)
    }

    @Test("fields that differ only in the case of a name are equal and hash alike")
    func equality() {
        let left: HeaderFields = ["DPoP": "x"]
        let right: HeaderFields = ["dpop": "x"]
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(left != ["DPoP": "X"])
    }

    @Test("a description names the fields and keeps the values")
    func description() {
        let fields: HeaderFields = ["Authorization": "hunter2"]
        #expect("\(fields)" == "[Authorization]")
        let response = TransportResponse(status: 200, headers: fields, body: Array("hunter2".utf8))
        #expect(!"\(response)".contains("hunter2"))
    }
}
