package import BenjiProtocol

/// Every result code of every dialect, explained (decision 15).
///
/// A module of its own, so that apps do not ship the prose. It knows what a code means and what to do about it, never when
/// it is sent: that is `ResultCodes` in BenjiProtocol. `benji explain`, the console and the printed tables read from here.
/// Start with ``entries(for:)``; the texts are in `Tables/`, one file per table.
package enum Catalogue {
    /// All entries: tables in the order of `CodeTable`, codes in the order of their document.
    package static let entries: [CatalogueEntry] = CodeTable.allCases.flatMap { entries(of: $0) }

    /// Every meaning that `code` has, one per table that lists it. Empty when no table does.
    package static func entries(for code: String) -> [CatalogueEntry] {
        CodeTable.allCases.compactMap { entry(code, in: $0) }
    }

    /// What `code` means in `table`, or `nil` when the table does not list it.
    package static func entry(_ code: String, in table: CodeTable) -> CatalogueEntry? {
        index[table]?[code]
    }

    private static let index: [CodeTable: [String: CatalogueEntry]] = Dictionary(grouping: entries, by: \.table)
        .mapValues { rows in Dictionary(rows.map { ($0.code, $0) }) { first, _ in first } }

    private static func entries(of table: CodeTable) -> [CatalogueEntry] {
        switch table {
        case .device: DeviceTable.entries()
        case .cmSDK: CMSDKTable.entries()
        case .cmPhone: CMPhoneTable.entries()
        case .cmVerify: CMVerifyTable.entries()
        case .tyrzPlatform: TYRZPlatformTable.entries()
        case .tyrzSDK: TYRZSDKTable.entries()
        case .tyrzAuthType: TYRZAuthTypeTable.entries()
        case .cmSDKLater: CMSDKLaterTable.entries()
        case .geyan: GeYanTable.entries()
        case .geyanBusiness: GeYanBusinessTable.entries()
        case .geyanMobile: GeYanMobileTable.entries()
        case .geyanTelecom: GeYanTelecomTable.entries()
        case .geyanUnicom: GeYanUnicomTable.entries()
        case .geyan3: GeYan3Table.entries()
        case .geyan3Business: GeYan3BusinessTable.entries()
        case .geyanServer: GeYanServerTable.entries()
        case .oneLogin: OneLoginTable.entries()
        case .oneLoginCocoa: OneLoginCocoaTable.entries()
        case .oneLogin2: OneLogin2Table.entries()
        case .oneLoginServer: OneLoginServerTable.entries()
        case .onePass: OnePassTable.entries()
        case .onePassServer: OnePassServerTable.entries()
        case .superID: SuperIDTable.entries()
        case .camara: CAMARATable.entries()
        }
    }
}
