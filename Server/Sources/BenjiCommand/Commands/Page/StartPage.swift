import ArgumentParser
import BenjiPage

/// A page that keeps every rule and says little beyond what an app has to replace.
enum StartPage: String, CaseIterable, ExpressibleByArgument {
    case fullScreen = "full-screen"
    case popup
    case bottomSheet = "bottom-sheet"

    /// The description without defaults.
    var text: String {
        """
        {
          "logo": { "image": { "name": "logo", "width": 72, "height": 72 } },
          "loginButton": { "cornerRadius": 8, "fills": { "normal": "#1666d9", "highlighted": "#4a6fa5" } },
          "terms": {
            "items": [
              {
                "title": { "zh-Hans": "《用户协议》", "zh-Hant": "《使用者協議》", "en": "User Agreement" },
                "url": "https://app.example/agreement"
              },
              {
                "title": { "zh-Hans": "《隐私政策》", "zh-Hant": "《隱私政策》", "en": "Privacy Policy" },
                "url": "https://app.example/privacy"
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
    var page: PageDescription { get throws { try PageDescription(parsing: Array(text.utf8)) } }
}
