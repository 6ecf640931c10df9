@_spi(Server) import BenjiProtocol
import Testing

@Suite struct MainlandMobileTests {
    /// The ranges as the operators publish them.
    private static let plan: [(carrier: Carrier?, ranges: [Int])] = [
        (
            .mobile,
            [
                134, 135, 136, 137, 138, 139, 147, 150, 151, 152, 157, 158, 159, 165, 172, 178, 182, 183, 184, 187, 188,
                195, 197, 198,
            ]
        ),
        (.unicom, [130, 131, 132, 145, 155, 156, 166, 167, 171, 175, 176, 185, 186, 196]),
        (.telecom, [133, 149, 153, 162, 173, 177, 180, 181, 189, 190, 191, 193, 199]),
        (Carrier(rawValue: "broadnet"), [192]),
    ]

    private func assignee(_ number: String) -> Carrier? { MainlandMobile.assignee(of: Array(number.utf8)) }

    @Test("Each range of an operator is assigned to it, and no other range but the resold 170 and the satellites' 174")
    func ranges() {
        for range in 100...199 where range != 170 && range != 174 {
            let carrier = Self.plan.first { $0.ranges.contains(range) }?.carrier
            #expect(assignee("\(range)00000001") == carrier, "\(range)")
        }
    }

    @Test("Ranges that are told apart by more digits belong to the operator of those digits")
    func longRanges() {
        #expect(assignee("13480000001") == .mobile && assignee("13490000001") == .telecom)
        for digit in 0...9 {
            let carrier: Carrier =
                [0, 1, 2].contains(digit) ? .telecom : [3, 5, 6].contains(digit) ? .mobile : .unicom
            #expect(assignee("170\(digit)0000001") == carrier)
        }
        #expect(assignee("17400000001") == .telecom && assignee("17405000001") == .telecom)
        #expect(assignee("17406000001") == nil && assignee("17410000001") == nil && assignee("17490000001") == nil)
    }

    @Test(
        "What is not eleven digits that begin as a mobile number does has not the form of one",
        arguments: [
            "", "1380000000", "138000000000", "12800000001", "23800000001", "1380000000a", "8613800000001",
            "１３８００００００１",
        ])
    func form(text: String) {
        #expect(!MainlandMobile.hasForm(Array(text.utf8)))
        #expect(assignee(text) == nil)
    }

    @Test("A number of a range that is not assigned has the form, which is all that a phone checks")
    func unassigned() {
        #expect(MainlandMobile.hasForm(Array("15400000001".utf8)))
        #expect(assignee("15400000001") == nil)
    }
}
