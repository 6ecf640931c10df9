#if canImport(UIKit)
import BenjiPage
import BenjiPageDesign
import Foundation
import OneLoginSDK
import OneTapPageTypes
import PageProperties
import Testing
import UIKit

/// `ExportedLoginPage.swift` in this folder is the export of a page on which nothing is at its default.
@Suite("A page that was exported for OLAuthViewModel")
struct ExportedLoginPageTests {
    @MainActor
    @Test(
        "The exported code makes a view model that means the same page, but for what the export says that it cannot say"
    )
    func meansTheSame() throws {
        let unsaid = try PageExport(PageSamples.changed, for: .oneLogin).unsaid.map(\.path)
        let isChinese = (Bundle.main.preferredLocalizations.first ?? "zh-Hans").hasPrefix("zh")
        let language: Language = isChinese ? .simplifiedChinese : .english
        let wanted = try PageSamples.changed.json().saidByViewModel(without: unsaid, in: language)
        let made = try loginPage().currentPage.json().saidByViewModel(without: unsaid, in: language)
        #expect(made == wanted)
    }
}
#endif
