import BenjiProtocol
import Endpoints
import Testing

@Suite struct CodeColumnUsesTests {
    @Test(
        "A code tells its situations, and the carriers and steps for which it stands only where they make a difference")
    func uses() {
        let column = CodeColumn { situation, carrier, step in
            switch situation {
            case .success: CodeColumn.exact("0")
            case .noSIM: carrier == .unicom ? CodeColumn.exact("1") : CodeColumn.near("2", "no better one")
            case .timedOut: step == nil ? nil : CodeColumn.exact("2")
            default: nil
            }
        }
        #expect(column.uses(of: "0").map(\.carriers) == [[]])
        #expect(column.uses(of: "0").map(\.steps) == [[]])
        #expect(column.uses(of: "1").map(\.carriers) == [[.unicom]])
        #expect(column.situations(for: "2") == [.noSIM, .timedOut])
        #expect(column.answers(.noSIM, with: "1") && !column.answers(.success, with: "1"))
        #expect(column.uses(of: "2").map(\.note) == ["no better one", nil])
        #expect(column.uses(of: "2").map(\.steps) == [[], [.prefetch, .authorize, .verify]])
        #expect(column.uses(of: "3") == [])
    }
}
