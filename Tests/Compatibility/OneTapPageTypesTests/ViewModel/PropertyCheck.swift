#if canImport(UIKit)
import BenjiPage
import OneTapCTypes
import Testing
import UIKit

@testable import OneTapPageTypes

/// One property of a view model: where it is seen, and what it does there.
struct PropertyCheck {
    let name: String
    /// Fails unless the property has its effect, on a model of either document.
    let run: (_ defaults: VendorPage) -> Void

    /// A property that has a default of its own and one other value.
    init<Seen: Equatable>(
        _ name: String, _ seen: @escaping (PageDescription) -> Seen, _ expected: Seen,
        set: @escaping (OneTapViewModel) -> Void
    ) {
        self.init(name, seen, expected, set: set, unset: nil)
    }

    /// A property that may be `nil`, which is the default again.
    init<Value, Seen: Equatable>(
        _ name: String, _ property: ReferenceWritableKeyPath<OneTapViewModel, Value?>, _ value: Value,
        _ seen: @escaping (PageDescription) -> Seen, _ expected: Seen
    ) {
        self.init(
            name, seen, expected, set: { $0[keyPath: property] = value }, unset: { $0[keyPath: property] = nil })
    }

    private init<Seen: Equatable>(
        _ name: String, _ seen: @escaping (PageDescription) -> Seen, _ expected: Seen,
        set: @escaping (OneTapViewModel) -> Void, unset: ((OneTapViewModel) -> Void)?
    ) {
        self.name = name
        run = { defaults in
            let model = OneTapViewModel(defaults)
            model.isPopup = name.lowercased().contains("popup") && name != "isPopup"
            let untouched = model.vendor
            let before = seen(model.vendor.description)
            #expect(before != expected, "\(name): the test changes nothing")
            set(model)
            #expect(seen(model.vendor.description) == expected, "\(name) is not seen")
            #expect(throws: Never.self, "\(name) makes a page that cannot be shown") {
                try model.vendor.description.json()
            }
            guard let unset else { return }
            unset(model)
            #expect(model.vendor == untouched, "\(name): nil is not the default again")
        }
    }
}

extension OLRect {
    static let sample = OLRect(
        portraitTopYOffset: 10, portraitCenterXOffset: -20, portraitLeftXOffset: 30, landscapeTopYOffset: 40,
        landscapeCenterXOffset: 50, landscapeLeftXOffset: 60, size: OLSize(width: 70, height: 35))
}

extension AdaptiveColor {
    static let sample = AdaptiveColor(0x336699, dark: 0x336699)
}

extension UIColor {
    static let sample = UIColor(red: 0.2, green: 0.4, blue: 0.6, alpha: 1)
}
#endif
