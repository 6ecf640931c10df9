#if canImport(UIKit)
import GeYanSdk
import UIKit

/// A page that an app draws itself and hands over, as GeYan's release 3.0 has it: the words are those of the prefetch.
@MainActor final class HandedViews {
    let content = UIView(frame: .zero)
    let number = UILabel(frame: CGRect(x: 96, y: 200, width: 200, height: 30))
    let login = UIButton(frame: CGRect(x: 40, y: 300, width: 313, height: 48))
    let tick = UIButton(frame: CGRect(x: 20, y: 700, width: 24, height: 24))
    let terms = UILabel(frame: CGRect(x: 60, y: 700, width: 300, height: 40))
    private let slogan = UILabel(frame: CGRect(x: 96, y: 234, width: 200, height: 18))

    /// In the order that the call asks for.
    var list: [UIView] { [number, slogan, login, tick, terms] }

    init(ticked: Bool) {
        let words = GyContentModel.currentModel()
        content.backgroundColor = .white
        number.font = .boldSystemFont(ofSize: 24)
        number.text = words.pn
        slogan.font = .systemFont(ofSize: 12)
        slogan.text = words.slogan
        login.setTitle("本机号码一键登录", for: .normal)
        login.backgroundColor = .blue
        login.accessibilityIdentifier = "login"
        tick.setImage(UIImage(systemName: "square"), for: .normal)
        tick.isSelected = ticked
        tick.accessibilityIdentifier = "tick"
        tick.addAction(UIAction { [tick] _ in tick.isSelected.toggle() }, for: .touchUpInside)
        terms.font = .systemFont(ofSize: 12)
        terms.numberOfLines = 0
        terms.text = "登录即同意《\(words.term)》"
        for view in list { content.addSubview(view) }
    }
}
#endif
