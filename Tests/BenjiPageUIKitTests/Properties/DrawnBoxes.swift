import BenjiPage
import PageProperties
import UIKit

@testable import BenjiPageUIKit

/// How a box looks on the screen: everything of its view that a person or VoiceOver can tell.
struct DrawnBox: Equatable {
    var frame: CGRect
    var fill: UIColor?
    var alpha: CGFloat
    var radius: CGFloat
    var corners: CACornerMask
    var image: String?
    var content: String?
    /// With font, colour and underline.
    var texts: [String]
    var places: [CGRect]
    var label: String?
    var traits: UIAccessibilityTraits
    var isEnabled: Bool
    var isSpoken: Bool
    var touchesBeside: Bool

    @MainActor init(_ view: PageBoxView) {
        frame = view.convert(view.bounds, to: nil)
        fill = view.backgroundColor
        alpha = view.alpha
        radius = view.layer.cornerRadius
        corners = view.layer.maskedCorners
        image = view.image?.standInName
        content = view.content?.accessibilityIdentifier
        texts = []
        places = []
        label = view.accessibilityLabel
        traits = view.accessibilityTraits
        isEnabled = view.isEnabled
        isSpoken = view.isAccessibilityElement
        touchesBeside = view.hitTest(CGPoint(x: view.bounds.midX, y: view.bounds.midY), with: nil) != nil
        collect(view.drawnText)
    }

    @MainActor private mutating func collect(_ view: UIView) {
        guard !view.isHidden else { return }
        if let label = view as? UILabel, let text = label.attributedText {
            let attributes = text.attributes(at: 0, effectiveRange: nil)
            let font = attributes[.font] as? UIFont
            let parts: [Any?] = [
                text.string, font?.pointSize, font?.fontName, attributes[.foregroundColor], attributes[.underlineStyle],
            ]
            texts.append(parts.map { "\($0 ?? "-")" }.joined(separator: " | "))
            places.append(label.convert(label.bounds, to: nil))
        }
        for child in view.subviews { collect(child) }
    }
}

/// Draws pages in every state, upright and on the side, whatever the rules say of them.
@MainActor enum Drawing {
    static func supplies() -> PageSupplies {
        var supplies = PageSupplies()
        supplies.image = { UIImage(standIn: $0) }
        supplies.view = { name in
            let view = UIView(frame: .zero)
            view.accessibilityIdentifier = name
            return view
        }
        supplies.file = { URL(filePath: "/nowhere/" + $0) }
        return supplies
    }

    /// The boxes of one role.
    static func boxes(_ page: PageDescription, _ role: PageRole) throws -> [DrawnBox] {
        var boxes: [DrawnBox] = []
        for (width, height, safe) in [
            (393.0, 852.0, PageOnScreen.portraitSafe), (852.0, 393.0, PageOnScreen.landscapeSafe),
        ] {
            let controller = try AuthorizationPageViewController(
                page, facts: .sample(.mobile), supplies: supplies(), language: .simplifiedChinese)
            let host = UIViewController(nibName: nil, bundle: nil)
            let screen = StandInScreen(host, width: width, height: height, safeArea: safe)
            host.view.addSubview(controller.view)
            controller.view.frame = host.view.bounds
            for change in PageSamples.states {
                var state = PageState(of: page)
                change(&state)
                controller.apply(
                    try PageScene(
                        page, facts: .sample(.mobile), state: state,
                        screen: PageScreen(of: controller.view, language: .simplifiedChinese),
                        measuredBy: FontMeasure()))
                screen.settle()
                let views = controller.boxViews.filter { $0.key.role == role }.sorted { $0.key.number < $1.key.number }
                boxes += views.map { DrawnBox($0.value) }
            }
        }
        return boxes
    }
}
