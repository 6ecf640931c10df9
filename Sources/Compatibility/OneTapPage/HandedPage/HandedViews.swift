#if canImport(UIKit)
import BenjiClient
import BenjiPage
import BenjiProtocol
import UIKit

/// The views that an app hands over with a page of its own. One holds everything. In it are the five that a page must
/// have, in this order: number, slogan, login button, tick, terms.
@MainActor struct HandedViews {
    let content: UIView
    let number: UIView
    let slogan: UIView
    let login: UIControl
    let tick: UIControl
    let terms: UIView

    /// The role of each of the five.
    var roles: [(view: UIView, role: PageRole)] {
        [(number, .number), (slogan, .slogan), (login, .login), (tick, .tick), (terms, .terms)]
    }

    /// - Throws: which view is missing, not a view, handed over twice, of the wrong kind or somewhere else.
    init(_ content: UIView?, _ list: [Any]?) throws(BenjiError) {
        func wrong(_ detail: String) -> BenjiError { BenjiError(.invalidArgument, detail) }
        guard let content else { throw wrong("contentView: is missing") }
        let names = ["number label", "slogan label", "login button", "tick", "terms label"]
        guard let list, list.count >= names.count else {
            throw wrong("subViewList: must hold \(names.joined(separator: ", ")), in this order")
        }
        var views: [UIView] = []
        for (index, name) in names.enumerated() {
            guard let view = list[index] as? UIView else {
                throw wrong("subViewList[\(index)]: the \(name) is no view")
            }
            guard view !== content, view.isDescendant(of: content) else {
                throw wrong("subViewList[\(index)]: the \(name) is not in contentView")
            }
            guard !views.contains(where: { $0 === view }) else {
                throw wrong("subViewList[\(index)]: the \(name) is in the list twice")
            }
            views.append(view)
        }
        guard let login = views[2] as? UIControl else { throw wrong("subViewList[2]: the login button is no control") }
        guard let tick = views[3] as? UIControl else { throw wrong("subViewList[3]: the tick is no control") }
        self.content = content
        (number, slogan, terms) = (views[0], views[1], views[4])
        (self.login, self.tick) = (login, tick)
    }
}
#endif
