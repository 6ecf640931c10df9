import BenjiProtocol
import Catalogue
import Testing

@testable import Endpoints

@Suite struct ResultCodesTests {
    /// Every code that the table can be asked for, with what it was asked.
    private static func codes(_ table: CodeTable) -> [(situation: Situation, code: CodeColumn.Code)] {
        Situation.all.flatMap { situation in
            CodeColumn.Circumstances.all.compactMap {
                ResultCodes.code(for: situation, in: table, carrier: $0.carrier, step: $0.step).map { (situation, $0) }
            }
        }
    }

    @Test(
        "Every situation has a code in every table that answers servers or phones",
        arguments: [
            CodeTable.device, .cmPhone, .cmVerify, .tyrzPlatform, .cmSDK, .tyrzSDK, .geyan, .geyan3, .geyan3Business,
            .geyanServer, .oneLoginServer, .onePassServer,
        ])
    func complete(table: CodeTable) {
        #expect(Self.codes(table).count == Situation.all.count * CodeColumn.Circumstances.all.count)
    }

    @Test(
        "Every failure has a code in every table that stands beside a member of its own for success",
        arguments: [CodeTable.geyanBusiness, .oneLogin, .superID])
    func completeForFailures(table: CodeTable) {
        let codes = Self.codes(table)
        #expect(!codes.contains { $0.situation == .success })
        #expect(codes.count == (Situation.all.count - 1) * CodeColumn.Circumstances.all.count)
    }

    @Test("A table that nothing is answered from has no codes")
    func unspoken() {
        for table in [CodeTable.tyrzAuthType, .cmSDKLater, .oneLogin2, .onePass] {
            #expect(Self.codes(table).isEmpty, "\(table)")
        }
    }

    @Test("Codes look like those of their table", arguments: CodeTable.allCases)
    func form(table: CodeTable) {
        func digits(_ text: String) -> Int? {
            let number = text.hasPrefix("-") ? text.dropFirst() : text[...]
            return number.utf8.allSatisfy { (0x30...0x39).contains($0) } ? number.utf8.count : nil
        }
        for (_, code) in Self.codes(table) {
            let count = digits(code.code)
            switch table {
            case .device, .openID: #expect(code.code.utf8.allSatisfy { (0x61...0x7a).contains($0) || $0 == 0x5f })
            case .cmVerify: #expect(count == 3 || count == 6, "\(code)")
            case .geyanUnicom: #expect(count == 3 || count == 4, "\(code)")
            case .geyanTelecom: #expect((2...6).contains(count ?? 0), "\(code)")
            case .geyan, .geyan3, .geyanServer: #expect(count == 5 && !code.code.hasPrefix("-"), "\(code)")
            case .geyanBusiness, .oneLogin, .oneLogin2: #expect(count == 5 && code.code.hasPrefix("-"), "\(code)")
            case .geyan3Business: #expect(code.code == "0" || count == 5 && code.code.hasPrefix("-"), "\(code)")
            case .oneLoginCocoa: #expect((count == 3 || count == 4) && code.code.hasPrefix("-"), "\(code)")
            case .oneLoginServer: #expect(count == 3 || count == 5, "\(code)")
            case .camara: #expect(code.code.wholeMatch(of: /[A-Z_]+(\.[A-Z_]+)?/) != nil, "\(code)")
            case .onePassServer: #expect(count == 3 || count == 4, "\(code)")
            case .superID: #expect(count == 4 && code.code.hasPrefix("-"), "\(code)")
            case .cmSDK, .cmPhone, .tyrzPlatform, .tyrzSDK, .tyrzAuthType, .cmSDKLater, .geyanMobile, .onePass:
                #expect(count == 6, "\(code)")
            }
            #expect(code.note != "")
        }
    }

    @Test("Success has a code that nothing else has, except where a member beside it says yes or no")
    func success() {
        for table in CodeTable.allCases {
            guard let code = ResultCodes.code(for: .success, in: table)?.code else { continue }
            let others: [Situation] = table == .onePassServer ? [.numberDiffers] : []
            #expect(ResultCodes.situations(for: code, in: table) == [.success] + others, "\(table)")
        }
    }

    @Test("Yes and no of a verification are their own codes")
    func verification() {
        #expect(ResultCodes.code(for: .success, in: .cmVerify)?.code == "000")
        #expect(ResultCodes.situations(for: "001", in: .cmVerify) == [.numberDiffers])
    }

    @Test("Benji's own codes are the situations' names, all different")
    func device() {
        #expect(Set(Situation.all.map(\.rawValue)).count == Situation.all.count)
        for situation in Situation.all {
            #expect(ResultCodes.situations(for: situation.rawValue, in: .device) == [situation])
        }
    }

    @Test("Looking a code up finds the situations that end in it, whatever the carrier and the step")
    func lookUp() {
        #expect(ResultCodes.situations(for: "105012", in: .cmPhone) == [.carrierUnsupported])
        #expect(
            Set(ResultCodes.situations(for: "104201", in: .cmPhone)).isSuperset(of: [
                .tokenExpired, .tokenSpent, .tokenUnknown,
            ]))
        #expect(ResultCodes.situations(for: "-40299", in: .oneLogin).contains(.networkFailure))
        #expect(ResultCodes.situations(for: "999999", in: .cmPhone) == [])
    }

    @Test("A process id that is missing, malformed, unknown and used is told apart by the calls that take one")
    func processIDs() {
        let situations = [Situation.processIDMissing, .processIDMalformed, .processIDUnknown, .processIDSpent]
        #expect(
            situations.map { CodeColumn.oneLoginServer.code(for: $0)?.code } == ["12000", "12003", "12100", "12101"])
        #expect(situations.map { CodeColumn.onePassServer.code(for: $0)?.code } == ["2000", "2004", "3102", "3105"])
    }

    @Test("A spent, an expired and an unknown token look the same to who guesses, where the document has one code")
    func tokens() {
        let codes = [Situation.tokenSpent, .tokenExpired, .tokenUnknown].map {
            ResultCodes.code(for: $0, in: .cmPhone)?.code
        }
        #expect(Set(codes).count == 1)
    }
}
