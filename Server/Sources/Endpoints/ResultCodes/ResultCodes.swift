package import BenjiProtocol
import CMPassportCodes
package import Catalogue
import GeYanCodes
import OneLoginCodes
import SuperIDCodes

/// The table *situation × dialect → code* as a whole, by the table's name: for the catalogue's readers and for tests.
///
/// The facades' columns are in the package above, each next to its facade, and the servers' in the adjacent folders.
package enum ResultCodes {
    /// `nil` for a table from which nothing is answered: the catalogue explains it all the same.
    package static func column(_ table: CodeTable) -> CodeColumn? {
        switch table {
        case .device: .device
        case .cmSDK: .cmSDK
        case .cmPhone: .cmPhone
        case .cmVerify: .cmVerify
        case .tyrzPlatform: .tyrzPlatform
        case .tyrzSDK: .tyrzSDK
        case .geyan: .geyan
        case .geyanBusiness: .geyanBusiness
        case .geyanMobile: .geyanMobile
        case .geyanUnicom: .geyanUnicom
        case .geyanTelecom: .geyanTelecom
        case .geyan3: .geyan3
        case .geyan3Business: .geyan3Business
        case .geyanServer: .geyanServer
        case .oneLogin: .oneLogin
        case .oneLoginCocoa: .oneLoginCocoa
        case .oneLoginServer: .oneLoginServer
        case .onePassServer: .onePassServer
        case .superID: .superID
        case .camara: .camara
        case .openID, .tyrzAuthType, .cmSDKLater, .oneLogin2, .onePass: nil
        }
    }

    /// All situations that a code stands for, in whichever dialect has it, or the one of this name. Empty if nothing
    /// ends in it.
    package static func situations(meantBy code: String) -> [Situation] {
        if let situation = Situation.named(code) { return [situation] }
        let found = Set(CodeTable.allCases.flatMap { situations(for: code, in: $0) })
        return found.sorted { $0.rawValue < $1.rawValue }
    }

    /// The code for `situation` in `table`, or `nil` where the situation cannot come up there.
    package static func code(
        for situation: Situation, in table: CodeTable, carrier: Carrier? = nil, step: CodeColumn.Step? = nil
    ) -> CodeColumn.Code? {
        column(table)?.code(for: situation, carrier: carrier, step: step)
    }

    /// All that ends in `code` of `table`, in the order of the situations, and when.
    package static func uses(of code: String, in table: CodeTable) -> [CodeColumn.Use] {
        column(table)?.uses(of: code) ?? []
    }

    /// All situations that end in `code` of `table`.
    package static func situations(for code: String, in table: CodeTable) -> [Situation] {
        column(table)?.situations(for: code) ?? []
    }
}
