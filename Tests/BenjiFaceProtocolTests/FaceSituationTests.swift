import BenjiFaceProtocol
import BenjiProtocol
import Foundation
import Testing

@Suite struct FaceSituationTests {
    @Test("The list of situations has every one that its file declares, once and in their order")
    func list() throws {
        let file = URL(filePath: #filePath).appending(path: "../../../Sources/BenjiProtocol/Codes/Situation+Face.swift")
        let text = try String(contentsOf: file.standardized, encoding: .utf8)
        let declared = text.matches(of: /static let \w+ = Situation\(rawValue: "([a-z_]+)"\)/).map { String($0.1) }
        #expect(Situation.ofFaceLogin.map(\.rawValue) == declared)
        #expect(Set(declared).count == declared.count)
        // All that it declares, but for the list.
        #expect(text.ranges(of: "static let ").count == declared.count + 1)
    }

    @Test("No situation of a face login is one of a number's")
    func apart() {
        #expect(Set(Situation.ofFaceLogin).isDisjoint(with: Situation.ofNumberLogin))
    }
}
