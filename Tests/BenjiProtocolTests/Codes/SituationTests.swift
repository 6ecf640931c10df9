import BenjiProtocol
import Foundation
import Testing

@Suite struct SituationTests {
    @Test("The list of situations has every one that its file declares, once and in their order")
    func list() throws {
        let file = URL(filePath: #filePath).appending(path: "../../../../Sources/BenjiProtocol/Codes/Situation.swift")
        let text = try String(contentsOf: file.standardized, encoding: .utf8)
        let declared = text.matches(of: /static let \w+ = Situation\(rawValue: "([a-z_]+)"\)/).map { String($0.1) }
        #expect(Situation.ofNumberLogin.map(\.rawValue) == declared)
        #expect(Set(declared).count == declared.count)
        // All that it declares, but for the list.
        #expect(text.ranges(of: "static let ").count == declared.count + 1)
    }

    @Test("Benji's own codes are the situations' names")
    func device() {
        for situation in Situation.ofNumberLogin {
            #expect(CodeColumn.device.code(for: situation)?.code == situation.rawValue)
        }
    }
}
