/// Mobile numbers of mainland China: eleven digits of the ranges that the ministry (MIIT) assigned to operators for
/// phones.
///
/// Source: MIIT's numbering plan for telecommunication networks (电信网编号计划, 2017) and its later assignments, of which
/// 190, 192, 196 and 197 are the latest (December 2019). Numbers can be ported, so a range does not name the operator
/// that serves a number now.
@_spi(Server) public enum MainlandMobile {
    /// Whether digits have the form of such a number: eleven of them, a 1 and then 3 to 9.
    ///
    /// The range is not checked. Phones check only the form, because an app's version outlives an assignment.
    ///
    /// - Parameter digits: ASCII, without country code.
    public static func hasForm(_ digits: [UInt8]) -> Bool {
        guard digits.count == 11, digits[0] == 0x31, digits[1] >= 0x33 else { return false }
        for digit in digits where digit < 0x30 || digit > 0x39 { return false }
        return true
    }

    /// The operator to which the number's range was assigned; `nil` for a number that no phone has.
    ///
    /// Unassigned are 142, 143, 154, 160, 161, 163, 164, 168, 169, 179 and 194. Numbers of 140, 141, 144, 146 and 148
    /// are those of things and have thirteen digits. 174 is for maritime satellites and emergencies, except 174 00 to
    /// 174 05, which China Telecom's satellite phones have.
    ///
    /// - Parameter digits: ASCII, without country code.
    public static func assignee(of digits: [UInt8]) -> Carrier? {
        guard hasForm(digits) else { return nil }
        func number(_ count: Int) -> Int {
            var number = 0
            for digit in digits.prefix(count) { number = number * 10 + Int(digit - 0x30) }
            return number
        }
        switch number(3) {
        // 1349 is China Telecom's, for satellite phones.
        case 134: return number(4) == 1349 ? .telecom : .mobile
        // 147 began with data cards, 165 is resold, and 172 began with cards of things.
        case 135...139, 147, 150...152, 157...159, 165, 172, 178, 182...184, 187, 188, 195, 197, 198: return .mobile
        // 145 began with data cards; 167 and 171 are resold.
        case 130...132, 145, 155, 156, 166, 167, 171, 175, 176, 185, 186, 196: return .unicom
        // 149 began with data cards, and 162 is resold.
        case 133, 149, 153, 162, 173, 177, 180, 181, 189...191, 193, 199: return .telecom
        // Resold, for an operator by the fourth digit.
        case 170:
            switch number(4) {
            case 1700, 1701, 1702: return .telecom
            case 1703, 1705, 1706: return .mobile
            default: return .unicom
            }
        case 174: return 17400...17405 ~= number(5) ? .telecom : nil
        case 192: return broadnet
        default: return nil
        }
    }

    /// 中国广电, China Broadnet. No vendor's document knows it.
    private static let broadnet = Carrier(rawValue: "broadnet")
}
