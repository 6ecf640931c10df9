extension CarrierPolicy {
    public var json: JSON {
        .object([
            "version": .string(version),
            "unusedTokens": .object([
                "perApp": .integer(unusedTokensPerApp), "perNumber": .integer(unusedTokensPerNumber),
                "windowSeconds": .integer(unusedTokenWindow),
            ]),
            "carriers": .object(
                Carrier.allCases.compactMap { carrier in
                    carriers[carrier].map { JSON.Member(carrier.rawValue, $0.json) }
                }),
        ])
    }

    /// Reads an operator's table. Every value is checked; an error names its path.
    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        version = try reader.string("version", length: 1...64)
        var unused = try reader.object("unusedTokens")
        unusedTokensPerApp = Int(try unused.integer("perApp", in: 1...100_000))
        unusedTokensPerNumber = Int(try unused.integer("perNumber", in: 1...1_000_000))
        unusedTokenWindow = try unused.integer("windowSeconds", in: 1...86400)
        try unused.finish()
        var entries = try reader.object("carriers")
        carriers = [:]
        for carrier in Carrier.allCases {
            guard let entry = entries.optional(carrier.rawValue) else { continue }
            carriers[carrier] = try Entry(entry, path: "$.carriers.\(carrier.rawValue)")
        }
        try entries.finish()
        try reader.finish()
    }
}

extension CarrierPolicy.Entry {
    var json: JSON {
        .object([
            "enabled": .bool(enabled), "page": page.json,
            "lifetimes": .object(
                Dialect.allCases.compactMap { dialect in
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

    init(_ json: JSON, path: String) throws(JSONError) {
        var reader = try JSONObjectReader(json, path: path)
        enabled = try reader.bool("enabled")
        page = try CarrierPolicy.Page(try reader.value("page"), path: "\(path).page")
        var table = try reader.object("lifetimes")
        lifetimes = [:]
        for dialect in Dialect.allCases {
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

extension CarrierPolicy.Page {
    public var json: JSON {
        .object(["termsTitle": .string(termsTitle), "termsURL": .string(termsURL), "slogan": .string(slogan)])
    }

    public init(_ json: JSON, path: String) throws(JSONError) {
        var reader = try JSONObjectReader(json, path: path)
        termsTitle = try reader.string("termsTitle", length: 1...128)
        termsURL = try reader.value("termsURL", "must start with https://") { $0.hasPrefix("https://") ? $0 : nil }
        slogan = try reader.string("slogan", length: 1...128)
        try reader.finish()
    }
}
