import BenjiProtocol
import Testing

@Suite struct ResultCodesTests {
    private static let carriers: [Carrier?] = [nil] + Carrier.allCases.map { $0 }

    @Test(
        "Every situation has a code in every table that answers servers or phones",
        arguments: [
            CodeTable.device, .cmPhone, .cmVerify, .tyrzPlatform, .cmSDK, .tyrzSDK,
        ])
    func complete(table: CodeTable) {
        for situation in Situation.allCases {
            for carrier in Self.carriers {
                #expect(
                    ResultCodes.code(for: situation, in: table, carrier: carrier) != nil, "\(situation) in \(table)")
            }
        }
    }

    @Test("Codes look like those of their table")
    func form() {
        func isDigits(_ text: String, _ counts: Int...) -> Bool {
            counts.contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
        for table in CodeTable.allCases {
            for situation in Situation.allCases {
                for carrier in Self.carriers {
                    guard let code = ResultCodes.code(for: situation, in: table, carrier: carrier) else { continue }
                    switch table {
                    case .device: #expect(code.code.utf8.allSatisfy { (0x61...0x7a).contains($0) || $0 == 0x5f })
                    case .cmVerify: #expect(isDigits(code.code, 3, 6), "\(code)")
                    case .cmSDK, .cmPhone, .tyrzPlatform, .tyrzSDK, .tyrzAuthType:
                        #expect(isDigits(code.code, 6), "\(code)")
                    }
                    #expect(code.note != "")
                }
            }
        }
    }

    @Test("Success has a code that nothing else has")
    func success() {
        for table in CodeTable.allCases {
            guard let code = ResultCodes.code(for: .success, in: table)?.code else { continue }
            #expect(ResultCodes.situations(for: code, in: table) == [.success], "\(table)")
        }
    }

    @Test("Yes and no of a verification are their own codes")
    func verification() {
        #expect(ResultCodes.code(for: .success, in: .cmVerify)?.code == "000")
        #expect(ResultCodes.situations(for: "001", in: .cmVerify) == [.numberDiffers])
    }

    @Test("Benji's own codes are the situations' names, all different")
    func device() {
        #expect(Set(Situation.allCases.map(\.rawValue)).count == Situation.allCases.count)
        for situation in Situation.allCases {
            #expect(ResultCodes.situations(for: situation.rawValue, in: .device) == [situation])
        }
    }

    @Test("Looking a code up finds the situations that end in it, whatever the carrier")
    func lookUp() {
        #expect(ResultCodes.situations(for: "105012", in: .cmPhone) == [.carrierUnsupported])
        #expect(
            Set(ResultCodes.situations(for: "104201", in: .cmPhone)).isSuperset(of: [
                .tokenExpired, .tokenSpent, .tokenUnknown,
            ]))
        #expect(ResultCodes.situations(for: "999999", in: .cmPhone) == [])
    }

    @Test("A spent, an expired and an unknown token look the same to who guesses, where the document has one code")
    func tokens() {
        let codes = [Situation.tokenSpent, .tokenExpired, .tokenUnknown].map {
            ResultCodes.code(for: $0, in: .cmPhone)?.code
        }
        #expect(Set(codes).count == 1)
    }
}
