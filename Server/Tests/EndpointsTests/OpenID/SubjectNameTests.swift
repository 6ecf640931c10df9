import SwiftASN1
import Testing
import X509

@testable import OpenIDProvider

@Suite("The subject of a client's certificate")
struct SubjectNameTests {
    private func name(_ attributes: [(ASN1ObjectIdentifier, RelativeDistinguishedName.Attribute.Value)]) -> SubjectName
    {
        SubjectName(
            DistinguishedName(
                attributes.map { RelativeDistinguishedName([.init(type: $0.0, value: $0.1)]) }))
    }

    private static let common: ASN1ObjectIdentifier = [2, 5, 4, 3]
    private static let country: ASN1ObjectIdentifier = [2, 5, 4, 6]

    @Test("a name is the same in whatever type of string the certificate has it, and as text or number")
    func encodings() throws {
        for value in [
            RelativeDistinguishedName.Attribute.Value(utf8String: "Shop"), try .init(printableString: "Shop"),
            try .init(ia5String: "Shop"),
        ] {
            let found = name([(Self.country, try .init(printableString: "CN")), (Self.common, value)])
            for text in ["CN=Shop,C=CN", "cn = Shop , c=CN", "2.5.4.3=Shop,2.5.4.6=CN", "CN=#0c0453686f70,C=#1302434E"]
            {
                #expect(SubjectName(parsing: text) == found, "\(text)")
            }
            for text in ["C=CN,CN=Shop", "CN=shop,C=CN", "CN=Shop", "CN=Shop,C=CN,O=x", "CN=Shop+C=CN", "OU=Shop,C=CN"]
            {
                #expect(SubjectName(parsing: text) != found, "\(text)")
            }
        }
    }

    @Test(
        "each name of a kind of attribute is that of its number, in whatever case",
        arguments: [
            ("CN", "2.5.4.3"), ("SERIALNUMBER", "2.5.4.5"), ("C", "2.5.4.6"), ("L", "2.5.4.7"), ("ST", "2.5.4.8"),
            ("STREET", "2.5.4.9"), ("O", "2.5.4.10"), ("OU", "2.5.4.11"), ("ORGANIZATIONIDENTIFIER", "2.5.4.97"),
            ("UID", "0.9.2342.19200300.100.1.1"), ("DC", "0.9.2342.19200300.100.1.25"),
            ("EMAILADDRESS", "1.2.840.113549.1.9.1"),
        ])
    func kinds(name: String, number: String) throws {
        let numbered = try #require(SubjectName(parsing: "\(number)=x"))
        #expect(SubjectName(parsing: "\(name)=x") == numbered)
        #expect(SubjectName(parsing: "\(name.lowercased())=x") == numbered)
    }

    @Test("a number of a kind of attribute has two to 32 parts of at most nine digits each")
    func numbers() {
        func parts(_ count: Int) -> String { "2" + String(repeating: ".1", count: count - 1) }
        for (number, isNumber) in [
            (parts(1), false), (parts(2), true), (parts(32), true), (parts(33), false), ("2.999999999", true),
            ("2.1000000000", false), ("0.39", true), ("1.39", true), ("0.40", false), ("1.40", false), ("2.40", true),
            ("3.1", false), ("2..1", false),
        ] {
            #expect((SubjectName(parsing: "\(number)=x") != nil) == isNumber, "\(number)")
        }
    }

    @Test("a value is compared byte by byte: two spellings of one letter are two")
    func bytes() {
        let composed = name([(Self.common, .init(utf8String: "caf\u{e9}"))])
        #expect(SubjectName(parsing: "CN=caf\u{e9}") == composed)
        #expect(SubjectName(parsing: #"CN=caf\C3\A9"#) == composed)
        #expect(SubjectName(parsing: "CN=cafe\u{301}") != composed)
        #expect("caf\u{e9}" == "cafe\u{301}", "to the double, which compares strings, they are one")
    }

    @Test("a part with several attributes is the same in whatever order they stand, and no list of parts")
    func severalAttributes() {
        let attributes: [RelativeDistinguishedName.Attribute] = [
            .init(type: Self.common, utf8String: "Shop"), .init(type: [2, 5, 4, 5], utf8String: "7"),
        ]
        let found = SubjectName(DistinguishedName([RelativeDistinguishedName(attributes)]))
        #expect(SubjectName(parsing: "2.5.4.3=Shop+2.5.4.5=7") == found)
        for text in ["CN=Shop+SERIALNUMBER=7", "serialNumber=7 + CN=Shop"] {
            #expect(SubjectName(parsing: text) == found)
        }
        #expect(SubjectName(parsing: "CN=Shop,SERIALNUMBER=7") != found)
    }

    @Test("what is behind a backslash is part of the value, and what should be and is not makes no name")
    func escapes() {
        let found = name([(Self.common, .init(utf8String: " Shop, \"Inc.\" + #1 "))])
        #expect(SubjectName(parsing: #"CN=\ Shop\, \"Inc.\" \+ #1\ "#) == found)
        #expect(SubjectName(parsing: #"CN=\20Shop\2C \22Inc.\22 \2b \231\20"#) == found)
        #expect(SubjectName(parsing: "CN=Shop  ") == name([(Self.common, .init(utf8String: "Shop"))]))
        for wrong in [
            "", "CN", "CN=", "=Shop", "CN=Shop,", "CN=Shop+", "CN=Shop,,C=CN", #"CN=Shop\"#, #"CN=Shop\x"#, #"CN=\ff"#,
            "CN=a;C=CN", "CN=<a>", "CN=\"a\"", "NOBODY=a", "1.x=a", "CN=#0c", "CN=#zz", "CN=#0c045368", "CN=a\u{0}b",
            "1.18446744073709551615=x", "500000000000000000.1=x", "3.1=x", "1.40=x", "2.5.4.=x", "2=x", "٢.٥=x",
            "2." + String(repeating: "1.", count: 40) + "1=x",
        ] {
            #expect(SubjectName(parsing: wrong) == nil, "\(wrong)")
        }
    }
}
