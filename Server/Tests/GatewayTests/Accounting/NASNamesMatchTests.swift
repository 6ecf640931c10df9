@_spi(Server) import BenjiProtocol
import Testing

@testable import Gateway

/// Whether two sets of names may be those of one NAS.
struct NASNamesMatchTests {
    private static func packet(
        _ identifier: String? = nil, v4: String? = nil, v6: String? = nil
    ) -> SessionNames {
        var names = SessionNames()
        names.nasIdentifier = identifier.map { Array($0.utf8) }
        names.nasIPAddress = v4.map { InternetAddress($0)! }
        names.nasIPv6Address = v6.map { InternetAddress($0)! }
        return names
    }

    private static func names(_ packets: SessionNames...) -> NASNames {
        var names = NASNames(SessionNames())
        for packet in packets { names.add(packet) }
        return names
    }

    @Test("a shared identifier makes one NAS, a shared address does where identifiers do not differ, and others differ")
    func match() {
        let (a, b, c) = (Self.packet("a"), Self.packet("b"), Self.packet("c"))
        let (a1, b1, a2) = (
            Self.packet("a", v4: "10.0.0.1"), Self.packet("b", v4: "10.0.0.1"), Self.packet(v4: "10.0.0.2")
        )
        let one = Self.packet(v4: "10.0.0.1")
        let (six, other6) = (Self.packet(v6: "2001:db8::1"), Self.packet(v6: "2001:db8::2"))
        for (first, second, expected) in [
            (Self.names(), Self.names(), .unknown), (Self.names(a), Self.names(), .unknown),
            (Self.names(a), Self.names(a), .same), (Self.names(a), Self.names(b), .different),
            (Self.names(a, b), Self.names(c, b), .same),
            // An identifier that is shared counts more than addresses that are not.
            (Self.names(a1), Self.names(a, a2), .same), (Self.names(a, six), Self.names(a, other6), .same),
            (Self.names(a1), Self.names(b1), .unknown), (Self.names(a, six), Self.names(b, six), .unknown),
            (Self.names(a1), Self.names(one), .same), (Self.names(one), Self.names(one), .same),
            (Self.names(six), Self.names(a, six), .same), (Self.names(a1), Self.names(b, a2), .different),
            (Self.names(one), Self.names(a2), .different), (Self.names(six), Self.names(other6), .different),
            (Self.names(one), Self.names(six), .unknown), (Self.names(a, one), Self.names(b, six), .different),
            (Self.names(a), Self.names(one), .unknown), (Self.names(one, six), Self.names(a2, six), .same),
            (Self.names(one, six), Self.names(one, other6), .same),
            (Self.names(one, six), Self.names(a2, other6), .different),
        ] as [(NASNames, NASNames, NASNames.Match)] {
            #expect(first.match(second) == expected && second.match(first) == expected, "\(first) \(second)")
        }
    }

    @Test("a kind of which a NAS has used more than eight names does not tell it apart, and a shared one still does")
    func limit() {
        for (count, expected) in [(8, NASNames.Match.different), (9, .unknown)] {
            var many = Array(repeating: Self.names(), count: 3)
            for number in 1...count {
                let kinds = [
                    Self.packet("\(number)"), Self.packet(v4: "10.0.0.\(number)"),
                    Self.packet(v6: "2001:db8::\(number)"),
                ]
                for (place, packet) in kinds.enumerated() {
                    let isNew = many[place].add(packet)
                    #expect(isNew)
                }
            }
            let others = [Self.packet("x"), Self.packet(v4: "10.0.9.1"), Self.packet(v6: "2001:db8:9::1")]
            let shared = [Self.packet("3"), Self.packet(v4: "10.0.0.3"), Self.packet(v6: "2001:db8::3")]
            for place in 0..<3 {
                let (other, same) = (NASNames(others[place]), NASNames(shared[place]))
                #expect(many[place].match(other) == expected && other.match(many[place]) == expected, "\(place)")
                #expect(many[place].match(same) == .same && same.match(many[place]) == .same, "\(place)")
                #expect(many[place].includes(shared[place]))
                #expect(many[place].includes(others[place]) == (count > 8), "what would not be kept brings nothing new")
                let isNew = many[place].add(others[place])
                #expect(isNew == (count == 8) && many[place].count == 9)
                let isNewAgain = many[place].add(shared[place])
                #expect(!isNewAgain && many[place].count == 9)
            }
        }
    }

    @Test("names bring something new if one of them is new, and are kept by their kinds")
    func adding() {
        let whole = Self.packet("a", v4: "10.0.0.1", v6: "2001:db8::1")
        var names = NASNames(whole)
        #expect(names.includes(whole) && names.includes(SessionNames()) && names.count == 3)
        let none = [names.add(whole), names.add(SessionNames())]
        #expect(none == [false, false])
        for (number, new) in [
            Self.packet("b", v4: "10.0.0.1", v6: "2001:db8::1"), Self.packet("a", v4: "10.0.0.2", v6: "2001:db8::1"),
            Self.packet("a", v4: "10.0.0.1", v6: "2001:db8::2"),
        ].enumerated() {
            #expect(!names.includes(new))
            let isNew = names.add(new)
            #expect(isNew && names.includes(new) && names.count == 4 + number)
        }
        #expect(names.identifiers == [Array("a".utf8), Array("b".utf8)])
        #expect(names.ipv4 == ["10.0.0.1", "10.0.0.2"].map { InternetAddress($0)! })
        #expect(names.ipv6 == ["2001:db8::1", "2001:db8::2"].map { InternetAddress($0)! })
        let bare = names.withoutIdentifiers
        #expect(bare.identifiers.isEmpty && bare.ipv4 == names.ipv4 && bare.ipv6 == names.ipv6)
        var sum = NASNames(Self.packet("c", v4: "10.0.0.3", v6: "2001:db8::3"))
        sum.add(names)
        #expect(sum.identifiers.count == 3 && sum.ipv4.count == 3 && sum.ipv6.count == 3)
    }

    @Test(
        "a scope is named by the identifier, else by an address, else by the source, and its name is read back",
        arguments: [
            ("a", "10.0.0.1", "2001:db8::1", "192.0.2.1", "pgw\nid:a", true),
            ("id:\n", nil, nil, nil, "pgw\nid:id:\n", true), ("", nil, nil, nil, "pgw\nid:", true),
            (nil, "10.0.0.1", "2001:db8::1", nil, "pgw\nip:10.0.0.1", true),
            (nil, nil, "2001:db8::1", "192.0.2.1", "pgw\nip:2001:db8::1", true),
            (nil, nil, nil, "192.0.2.1", "pgw\nfrom:192.0.2.1", false), (nil, nil, nil, nil, "pgw\n", true),
        ] as [(String?, String?, String?, String?, String, Bool)])
    func scopes(identifier: String?, v4: String?, v6: String?, source: String?, scope: String, isName: Bool) {
        let names = Self.packet(identifier, v4: v4, v6: v6)
        #expect(NASNames.scope(server: "pgw", names, from: source.map { InternetAddress($0)! }) == scope)
        let read = SessionNames(scope: scope)
        #expect(read.nasIdentifier == names.nasIdentifier)
        #expect(read.nasIPAddress == (identifier == nil ? names.nasIPAddress : nil))
        #expect(read.nasIPv6Address == (identifier == nil && v4 == nil ? names.nasIPv6Address : nil))
        #expect(read.kind == (isName ? names.kind : SessionNames.Kinds.none))
    }

    @Test("an identifier that is no text is named by its digits, which are read back two by two")
    func digits() {
        var names = SessionNames()
        names.nasIdentifier = [0x00, 0x0a, 0xff, 0x80]
        #expect(NASNames.scope(server: "pgw", names) == "pgw\nhex:000aff80")
        #expect(SessionNames(scope: "pgw\nhex:000aff80").nasIdentifier == [0x00, 0x0a, 0xff, 0x80])
        #expect(SessionNames(scope: "pgw\nhex:ff8").nasIdentifier == [0xff])
        #expect(SessionNames(scope: "pgw\nhex:").nasIdentifier == [])
        for scope in ["pgw\nip:none", "pgw\nother:a", "pgw", ""] {
            #expect(SessionNames(scope: scope).kind == SessionNames.Kinds.none, "\(scope)")
        }
    }

    @Test("the kinds of names are apart")
    func kinds() {
        let kinds: [SessionNames.Kinds] = [.identifier, .ipv4, .ipv6, SessionNames.Kinds.none, .source]
        #expect(kinds.map(\.rawValue) == [1, 2, 4, 8, 16])
        #expect(Self.packet("a", v4: "10.0.0.1", v6: "2001:db8::1").kind == .identifier)
        #expect(Self.packet(v4: "10.0.0.1", v6: "2001:db8::1").kind == .ipv4)
        #expect(Self.packet(v6: "2001:db8::1").kind == .ipv6)
    }

    @Test("two packets of one NAS without a name are of one scope unless they come from several sources")
    func scopeNames() {
        var one = Network.server
        var many = Network.server
        (one.name, many.name) = ("one", "many")
        many.sources = [IPPrefix("192.0.2.0/24")!]
        var scopes = ScopeNames(servers: [one, many])
        let (first, second) = (InternetAddress("192.0.2.1")!, InternetAddress("192.0.2.2")!)
        // Each is asked for twice, and again behind the others.
        for _ in 0..<2 {
            for (nas, names, source, scope) in [
                (0, SessionNames(), first, "one\n"), (0, SessionNames(), second, "one\n"),
                (1, SessionNames(), first, "many\nfrom:192.0.2.1"), (1, SessionNames(), second, "many\nfrom:192.0.2.2"),
                (1, Self.packet("a"), second, "many\nid:a"), (1, Self.packet("a"), first, "many\nid:a"),
                (0, Self.packet("a"), first, "one\nid:a"),
                (1, Self.packet(v4: "192.0.2.1"), second, "many\nip:192.0.2.1"),
                (1, Self.packet(v4: "192.0.2.2", v6: "2001:db8::1"), first, "many\nip:192.0.2.2"),
                (0, Self.packet("b", v4: "192.0.2.1"), first, "one\nid:b"),
                (1, Self.packet(v6: "2001:db8::1"), first, "many\nip:2001:db8::1"),
            ] {
                for _ in 0..<2 { #expect(scopes.name(nas: nas, names, from: source) == scope) }
            }
        }
    }
}
