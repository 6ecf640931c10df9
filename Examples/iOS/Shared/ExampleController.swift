import SwiftUI
import UIKit

/// The screen of an example: a login button and the result. An example overrides ``prepare()`` and ``logIn()``.
class ExampleController: UIViewController {
    private let button = UIButton(type: .system)
    private let said = UILabel()

    /// Work that may be done before the person wants to log in.
    func prepare() {}

    /// The person has tapped.
    func logIn() {}

    /// Shows what the SDK answered. An app would hand the token to its own server.
    final func say(_ what: String, _ answer: [AnyHashable: Any]?) {
        let lines = (answer ?? [:]).map { "\($0.key): \($0.value)" }.sorted()
        say(([what] + lines).joined(separator: "\n"))
    }

    final func say(_ text: String) { said.text = text }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        button.setTitle("Log in", for: .normal)
        button.addAction(UIAction { [weak self] _ in self?.logIn() }, for: .touchUpInside)
        said.numberOfLines = 0
        view.addSubview(button)
        view.addSubview(said)
        prepare()
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        let inside = view.bounds.inset(by: view.safeAreaInsets)
        button.frame = CGRect(x: inside.minX + 16, y: inside.minY + 16, width: inside.width - 32, height: 48)
        said.frame = CGRect(
            x: inside.minX + 16, y: inside.minY + 72, width: inside.width - 32, height: inside.height - 88)
    }
}

/// Fills the window with such a screen.
struct ExampleScreen: UIViewControllerRepresentable {
    let controller: ExampleController

    func makeUIViewController(context: Context) -> ExampleController { controller }
    func updateUIViewController(_ controller: ExampleController, context: Context) {}
}
