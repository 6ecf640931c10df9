import Authority
package import BenjiPage
package import BenjiProtocol
import Store

/// The next page for a browser. The endpoint draws it.
package struct OpenIDPage: Sendable {
    /// The pages of a login.
    package enum Stage: Hashable, Sendable {
        /// Number, terms, tick and button.
        case consent
        /// The same under a sheet that asks once more, after a tap without the tick.
        case sheet
        /// The digits that the mask hides, to be typed; `isRepeated` after a wrong answer.
        case digits(isRepeated: Bool)
        /// The number, or the code that was sent to it, to be typed.
        case sms(SMSForm)
    }

    package var stage: Stage
    /// The credential that the page's form sends back.
    package var secret: String
    package var description: PageDescription
    /// `nil` on a page for a code by SMS: no carrier provides the number.
    package var facts: PageFacts?
    package var language: Language
    /// Where the login will end; a content security policy has to allow it.
    package var redirectURI: String
    /// Digests of the page's images, by the names that the description has for them.
    package var media: [String: String]
    /// The app's name.
    package var app: String
    /// The origins whose pages may show this one in a frame.
    package var frameAncestors: [String]
    /// The cookie that the browser is to send back with the form; `nil` if it has it already.
    package var cookie: Cookie?

    /// The box that has the consent remembered; `nil` on a page without it.
    package var remembering: RememberingBox?

    /// A box of the page's own, beside the tick. It is never set at first.
    package struct RememberingBox: Hashable, Sendable {
        package var text: String
        package var isTicked: Bool

        package init(text: String, isTicked: Bool) {
            self.text = text
            self.isTicked = isTicked
        }
    }

    /// A cookie without its attributes.
    package struct Cookie: Hashable, Sendable {
        package var name: String
        package var secret: String

        package init(name: String, secret: String) {
            self.name = name
            self.secret = secret
        }
    }

    package init(
        stage: Stage, secret: String, description: PageDescription, facts: PageFacts?, language: Language,
        redirectURI: String, media: [String: String], app: String, frameAncestors: [String], cookie: Cookie? = nil
    ) {
        self.stage = stage
        self.secret = secret
        self.description = description
        self.facts = facts
        self.language = language
        self.redirectURI = redirectURI
        self.media = media
        self.app = app
        self.frameAncestors = frameAncestors
        self.cookie = cookie
    }
}

/// The next step of a browser.
package enum OpenIDStep: Sendable {
    case page(OpenIDPage)
    /// An absolute address with everything in it.
    case redirect(String)
    /// A form that the browser sends to the app.
    case post(OpenIDForm)
    /// The browser keeps the cookie of a remembered consent and goes on.
    indirect case remembering(OpenIDPage.Cookie, OpenIDStep)

    /// The step after the browser has stored its cookies.
    package var last: OpenIDStep {
        if case .remembering(_, let next) = self { next.last } else { self }
    }
}

/// An answer to an app that its browser brings as a form (OAuth 2.0 Form Post Response Mode).
package struct OpenIDForm: Hashable, Sendable {
    package struct Field: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The redirect URI.
    package var target: String
    package var fields: [Field]

    package init(target: String, fields: [Field]) {
        self.target = target
        self.fields = fields
    }
}

/// Why a browser gets an error page.
package enum OpenIDStop: Error, Hashable, Sendable {
    /// The app's developer made a mistake, and there is no address to which it could be told.
    case developer(OpenIDFailure)
    /// The person cannot go on here.
    case notice(OpenIDNotice)

    /// For the log and the counters.
    package var situation: Situation {
        switch self {
        case .developer(let failure):
            switch failure.error {
            case .temporarilyUnavailable: .storeUnavailable
            case .serverError: .internalError
            default: .parameterInvalid
            }
        case .notice(let notice): notice.situation
        }
    }

    /// - Parameter otherWay: leads back to the app, which receives `access_denied`.
    package static func person(_ situation: Situation, _ language: Language, otherWay: String?) -> OpenIDStop {
        .notice(OpenIDNotice(situation: situation, language: language, wayBack: otherWay))
    }

    /// The network does not know the phone, and a code by SMS would do.
    static func offeringSMS(_ situation: Situation, _ language: Language, otherWay: String) -> OpenIDStop {
        var notice = OpenIDNotice(situation: situation, language: language, wayBack: otherWay)
        notice.offersSMS = true
        return .notice(notice)
    }

    /// The app asks for an account that is not this phone's.
    static func otherAccount(_ language: Language, wayBack: String) -> OpenIDStop {
        var notice = OpenIDNotice(situation: .subscriptionMismatch, language: language, wayBack: wayBack)
        notice.asksForOtherAccount = true
        return .notice(notice)
    }
}

/// The reason why a person cannot go on, for a page that states it.
package struct OpenIDNotice: Hashable, Sendable {
    package var situation: Situation
    package var language: Language
    /// Leads back to the app, which receives an error.
    package var wayBack: String?
    /// Whether the app asks for an account that is not this phone's.
    package var asksForOtherAccount = false
    /// Whether the same request may be asked again for a login by a code that is sent by SMS
    /// (``OpenIDProvider/bySMS``).
    package var offersSMS = false
    /// The app's name, once it is known whose login it was.
    package var app: String?
    /// How the app looks, once it is known whose login it was.
    package var look: AppLook?
    /// The origins whose pages may show the notice in a frame.
    package var frameAncestors: [String] = []

    package init(situation: Situation, language: Language, wayBack: String?) {
        self.situation = situation
        self.language = language
        self.wayBack = wayBack
    }
}

extension OpenIDProvider {
    /// The parameter of an authorization request that asks for a code by SMS if the network does not know the phone. It
    /// is no part of what an app pushes or signs: the person chose it.
    package static let bySMS = (name: "way", value: "sms")
}
