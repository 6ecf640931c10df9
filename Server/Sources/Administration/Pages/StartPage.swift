package import BenjiPage
import BenjiProtocol

/// A page that keeps every rule and says little beyond what an app has to replace.
package enum StartPage: String, CaseIterable, Sendable {
    case fullScreen = "full-screen"
    case popup
    case bottomSheet = "bottom-sheet"

    /// The description without defaults.
    package var text: String {
        text(agreement: "https://app.example/agreement", privacy: "https://app.example/privacy")
    }

    /// The description with the addresses of an app's own terms.
    package func text(agreement: String, privacy: String) -> String {
        """
        {
          "logo": { "image": { "name": "logo", "width": 72, "height": 72 } },
          "loginButton": { "cornerRadius": 8, "fills": { "normal": "#1666d9", "highlighted": "#4a6fa5" } },
          "terms": {
            "items": [
              {
                "title": { "zh-Hans": "《用户协议》", "zh-Hant": "《使用者協議》", "en": "User Agreement" },
                "url": \(JSON.string(agreement).text)
              },
              {
                "title": { "zh-Hans": "《隐私政策》", "zh-Hant": "《隱私政策》", "en": "Privacy Policy" },
                "url": \(JSON.string(privacy).text)
              }
            ]
          }\(form)
        }
        """
    }

    private var form: String {
        switch self {
        case .fullScreen: ""
        case .popup: #", "popup": { "cornerRadius": 14, "closesOnOutsideTap": true }"#
        case .bottomSheet:
            #", "popup": { "position": "bottom", "corners": ["topLeft", "topRight"], "cornerRadius": 20, "#
                + #""closesOnOutsideTap": true }"#
        }
    }

    /// The description with all its fields.
    package var page: PageDescription { get throws { try PageDescription(parsing: Array(text.utf8)) } }
}
