#if canImport(UIKit)
import GeYanSdk
import UIKit

/// A page as an app draws it for release 3.0: the words are those of the content model.
@MainActor final class DrawnViews {
    let content = UIView(frame: .zero)
    let card = UIView(frame: CGRect(x: 0, y: 0, width: 393, height: 852))
    let number = UILabel(frame: CGRect(x: 96, y: 200, width: 200, height: 30))
    let slogan = UILabel(frame: CGRect(x: 96, y: 234, width: 200, height: 18))
    let login = UIButton(frame: CGRect(x: 40, y: 300, width: 313, height: 48))
    let tick = UIButton(frame: CGRect(x: 20, y: 700, width: 24, height: 24))
    let terms = UILabel(frame: CGRect(x: 60, y: 700, width: 300, height: 40))

    /// - Parameter setsTick: whether the app sets the tick by itself, or leaves it to the SDK.
    init(setsTick: Bool = true) {
        let words = GyContentModel.currentModel()
        content.backgroundColor = .white
        number.font = .boldSystemFont(ofSize: 24)
        number.text = words.pn
        slogan.font = .systemFont(ofSize: 12)
        slogan.text = words.slogan
        login.setTitle("本机号码一键登录", for: .normal)
        login.backgroundColor = .blue
        tick.setImage(UIImage(systemName: "square"), for: .normal)
        terms.font = .systemFont(ofSize: 12)
        terms.numberOfLines = 0
        terms.text = "登录即同意《\(words.term)》"
        if setsTick { tick.addAction(UIAction { [tick] _ in tick.isSelected.toggle() }, for: .touchUpInside) }
        for view in list { card.addSubview(view) }
        content.addSubview(card)
    }

    /// In the order that the header asks for.
    var list: [UIView] { [number, slogan, login, tick, terms] }

    /// Looks only whether the five are there, say what they should and are not hidden: as a check of names would.
    var isThere: Bool {
        let words = GyContentModel.currentModel()
        return list.allSatisfy { $0.isDescendant(of: content) && !$0.isHidden && $0.frame.width > 0 }
            && number.text == words.pn && slogan.text == words.slogan
            && terms.text?.contains(words.term) == true && login.currentTitle?.contains("登录") == true
            && tick.isSelected
    }

    /// Lays something over a part of the page.
    func cover(_ frame: CGRect, with color: UIColor?) {
        let cover = UIView(frame: frame)
        cover.backgroundColor = color
        content.addSubview(cover)
    }
}
#endif
