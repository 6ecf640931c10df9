@_spi(Server) public import BenjiProtocol

extension CarrierPolicy {
    public var json: JSON {
        .object([
            "version": .string(version),
            "unusedTokens": .object([
                "perApp": .integer(unusedTokensPerApp), "perNumber": .integer(unusedTokensPerNumber),
                "windowSeconds": .integer(unusedTokenWindow),
            ]),
            "carriers": .object(
                order.compactMap { carrier in carriers[carrier].map { JSON.Member(carrier.rawValue, $0.json) } }),
        ])
    }

    /// Reads an operator's table. Every value is checked; an error names its path.
    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        version = try reader.string("version", length: 1...64)
        if let problem = TextGrammar.problem(in: version) { throw JSONError(place: "$.version", problem: problem) }
        var unused = try reader.object("unusedTokens")
        unusedTokensPerApp = Int(try unused.integer("perApp", in: 1...100_000))
        unusedTokensPerNumber = Int(try unused.integer("perNumber", in: 1...1_000_000))
        unusedTokenWindow = try unused.integer("windowSeconds", in: 1...86400)
        try unused.finish()
        var entries = try reader.object("carriers")
        carriers = [:]
        for name in entries.names {
            guard let entry = entries.optional(name) else { continue }
            guard let carrier = Carrier(rawValue: name) else {
                throw JSONError(
                    place: "$.carriers.\(name)",
                    problem: "a carrier's name is 1 to 32 small letters, digits and hyphens, a letter first")
            }
            carriers[carrier] = try Entry(entry, of: carrier, path: "$.carriers.\(name)")
        }
        try entries.finish()
        try reader.finish()
    }
}

extension CarrierPolicy.Entry {
    var json: JSON {
        .object([
            "enabled": .bool(enabled),
            "names": .object(["zh": .string(name.simplifiedChinese), "en": .string(name.english)]),
            "country": .string(country),
            "networks": .array(networks.map { .string($0) }), "page": page.json,
            "lifetimes": .object(
                Dialect.all.compactMap { dialect in
                    lifetimes[dialect].map {
                        JSON.Member(
                            dialect.rawValue,
                            .object([
                                "scripSeconds": .integer($0.scrip), "scripReusable": .bool($0.scripReusable),
                                "tokenSeconds": .integer($0.token),
                            ]))
                    }
                }),
        ])
    }

    /// - Parameter carrier: the record's carrier. One of the standard policy may leave out its known values.
    init(_ json: JSON, of carrier: Carrier, path: String) throws(JSONError) {
        let known = CarrierPolicy.standard.carriers[carrier]
        var reader = try JSONObjectReader(json, path: path)
        enabled = try reader.bool("enabled")
        if reader.optional("names") == nil, let known {
            name = known.name
        } else {
            var words = try reader.object("names")
            name = LocalizedText(
                try words.string("zh", length: 1...64), try words.string("en", length: 1...64))
            try words.finish()
        }
        if reader.optional("country") == nil, let known {
            country = known.country
        } else {
            country = try reader.value("country", "must be two capital letters of ISO 3166-1, such as CN") {
                $0.utf8.count == 2 && $0.utf8.allSatisfy { (0x41...0x5a).contains($0) } ? $0 : nil
            }
        }
        networks = []
        if reader.optional("networks") != nil {
            for (index, value) in try reader.array("networks", count: 0...64).enumerated() {
                guard case .string(let network) = value, (5...6).contains(network.utf8.count),
                    network.utf8.allSatisfy({ (0x30...0x39).contains($0) })
                else {
                    throw JSONError(
                        place: "\(path).networks[\(index)]", problem: "must be five or six digits, such as \"46000\"")
                }
                networks.append(network)
            }
        }
        page = try CarrierPage(try reader.value("page"), path: "\(path).page")
        // Phones refuse a page with such a text.
        for (member, text) in [
            ("names.zh", name.simplifiedChinese), ("names.en", name.english), ("page.termsTitle", page.termsTitle),
            ("page.slogan", page.slogan),
        ] {
            if let problem = TextGrammar.problem(in: text) {
                throw JSONError(place: "\(path).\(member)", problem: problem)
            }
        }
        var table = try reader.object("lifetimes")
        lifetimes = [:]
        for dialect in Dialect.all {
            guard let value = table.optional(dialect.rawValue) else { continue }
            var row = try JSONObjectReader(value, path: "\(path).lifetimes.\(dialect.rawValue)")
            lifetimes[dialect] = CarrierPolicy.Lifetimes(
                scrip: try row.integer("scripSeconds", in: 1...86400), scripReusable: try row.bool("scripReusable"),
                // Thirty days, the longest that a document names.
                token: try row.integer("tokenSeconds", in: 1...2_592_000))
            try row.finish()
        }
        try table.finish()
        guard lifetimes[.device] != nil else { throw JSONError(place: "\(path).lifetimes.device", problem: "missing") }
        try reader.finish()
    }
}
