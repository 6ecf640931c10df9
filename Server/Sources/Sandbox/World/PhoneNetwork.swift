package import BenjiProtocol

/// The network that a phone of the sandbox is connected by.
package enum PhoneNetwork: String, Sendable, CaseIterable {
    case cellular
    /// Mobile data is off.
    case wifi
    /// Both are on. A browser goes by Wi-Fi, an app that asks for mobile data gets it.
    case both
    /// Mobile data through a VPN's tunnel: traffic leaves elsewhere.
    case vpn
    /// Abroad, and the visited network lets the traffic out itself.
    case roaming
    /// Mobile data, slow, and some of it lost.
    case weak

    /// Whether the phone has a session with its own carrier's packet core.
    package var hasSession: Bool { self != .wifi && self != .roaming }

    /// The program on the phone that asks for a connection.
    package enum Program: Sendable {
        /// Goes where the system sends it.
        case browser
        /// An app with the SDK: asks for the cellular interface.
        case app
    }

    /// How a program's traffic leaves the phone, or `nil` if it cannot.
    ///
    /// - Parameters:
    ///   - cellular: the address that the carrier gave, if there is one.
    ///   - phone: the phone's position, for its addresses elsewhere.
    package func way(of program: Program, cellular: InternetAddress?, phone: Int) -> Way? {
        switch (self, program) {
        case (.wifi, .app): nil
        case (.wifi, .browser), (.both, .browser): Self.elsewhere(.home, phone)
        case (.both, .app), (.cellular, _): cellular.map { Way(source: $0) }
        case (.vpn, _): Self.elsewhere(.tunnel, phone)
        case (.roaming, _): Self.elsewhere(.visited, phone)
        case (.weak, _): cellular.map { Way(source: $0, delay: .milliseconds(700), lossPercent: 15) }
        }
    }

    /// Networks whose addresses no gateway's directory knows: a home, a tunnel's exit, a visited network.
    private enum Subnet: String, CaseIterable {
        case home = "127.99.0"
        case tunnel = "127.66.0"
        case visited = "127.77.0"

        func address(_ phone: Int) -> InternetAddress? { InternetAddress("\(rawValue).\(phone)") }
    }

    static func addressesElsewhere(phone: Int) -> [InternetAddress] { Subnet.allCases.compactMap { $0.address(phone) } }

    private static func elsewhere(_ subnet: Subnet, _ phone: Int) -> Way? {
        subnet.address(phone).map { Way(source: $0) }
    }
}

/// How traffic leaves a phone.
package struct Way: Hashable, Sendable {
    /// The address of this machine that it leaves by.
    package var source: InternetAddress
    /// For each exchange, before it leaves.
    package var delay: Duration = .zero
    /// Exchanges of a hundred that are lost.
    package var lossPercent = 0
}
