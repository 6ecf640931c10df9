/// The drawing above a notice: strokes on a grid of 24 × 24, in the colour of the text around them.
package enum NoticeIcon: CaseIterable {
    case offNetwork, inDoubt, card, expired, browser, changed, account, pause, fault, mistake

    package init(_ cause: NoticeCause) {
        switch cause {
        case .offNetwork: self = .offNetwork
        case .inDoubt: self = .inDoubt
        case .unsupported: self = .card
        case .expired: self = .expired
        case .otherBrowser: self = .browser
        case .connectionChanged: self = .changed
        case .otherAccount, .numberUnknown: self = .account
        case .tooOften: self = .pause
        case .fault: self = .fault
        }
    }

    /// The strokes. Screen readers skip the drawing: the title says the same.
    package var path: String {
        switch self {
        // Bars of reception, crossed out.
        case .offNetwork: "M5 20v-3M10 20v-6M15 20v-3M20 20V6M4 4l16 16"
        // A question mark in a circle.
        case .inDoubt:
            "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M12 16.8v.1"
        // A SIM card.
        case .card: "M7 3h7l4 4v12a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V4a1 1 0 0 1 1-1M9 12h6v5H9zM12 12v5"
        // A clock.
        case .expired: "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M12 7v5l3.5 2"
        // A window.
        case .browser: "M4 5h16v14H4zM4 9h16M7 7v.1M9.5 7v.1"
        // Two arrows.
        case .changed: "M4 9h14l-3.5-3.5M20 15H6l3.5 3.5"
        // A person.
        case .account: "M12 4a4 4 0 1 0 0 8a4 4 0 0 0 0-8M4.5 20c.8-3.6 3.8-5.5 7.5-5.5s6.700 1.900 7.500 5.500"
        // A hand's pause.
        case .pause: "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M10 9v6M14 9v6"
        // A triangle with an exclamation mark.
        case .fault: "M12 4L2.800 19.500h18.400zM12 10v4.500M12 17v.1"
        // Angle brackets.
        case .mistake: "M8 7l-5 5l5 5M16 7l5 5l-5 5M13.500 5l-3 14"
        }
    }
}
