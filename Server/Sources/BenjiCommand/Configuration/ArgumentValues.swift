package import Administration
public import ArgumentParser
package import Authority
package import BenjiPage
package import BenjiPageDesign
import BenjiPolicy
@_spi(Server) package import BenjiProtocol
import ServerRuntime
package import Store

// How values of ours are written on a command line: as everywhere else.

// swift-format-ignore: AvoidRetroactiveConformances
extension AppID: @retroactive ExpressibleByArgument {
    package init?(argument: String) { self.init(rawValue: argument) }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension Dialect: @retroactive ExpressibleByArgument {
    package init?(argument: String) {
        guard let dialect = Self.spokenByPhones.first(where: { $0.rawValue == argument }) else { return nil }
        self = dialect
    }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension InternetAddress: @retroactive ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension PhoneNumber: @retroactive ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension Role: ExpressibleByArgument {}

extension RowToSeal.Table: ExpressibleByArgument {}

// swift-format-ignore: AvoidRetroactiveConformances
extension Timestamp: @retroactive ExpressibleByArgument {
    package init?(argument: String) { self.init(argument, now: SystemWallClock().now) }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension TraceID: @retroactive ExpressibleByArgument {
    package init?(argument: String) { self.init(rawValue: argument.lowercased()) }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension Assurance: @retroactive ExpressibleByArgument {
    /// Those that a login can have.
    package static var allValueStrings: [String] { allCases.filter { $0 != .sim }.map(\.rawValue) }

    package init?(argument: String) {
        guard Self.allValueStrings.contains(argument) else { return nil }
        self.init(rawValue: argument)
    }
}
// swift-format-ignore: AvoidRetroactiveConformances
extension Carrier: @retroactive ExpressibleByArgument {}
// swift-format-ignore: AvoidRetroactiveConformances
extension PageCarrier: @retroactive ExpressibleByArgument {}
// swift-format-ignore: AvoidRetroactiveConformances
extension Language: @retroactive ExpressibleByArgument {}
// swift-format-ignore: AvoidRetroactiveConformances
extension PageAppearance: @retroactive ExpressibleByArgument {}
// swift-format-ignore: AvoidRetroactiveConformances
extension PageProfile: @retroactive ExpressibleByArgument {}
// swift-format-ignore: AvoidRetroactiveConformances
extension PageExport.Target: @retroactive ExpressibleByArgument {}

extension Capability: ExpressibleByArgument {}
extension SignAlgorithm: ExpressibleByArgument {}
extension Workflow: ExpressibleByArgument {}
extension OutboxState: ExpressibleByArgument {}
extension ClientAuthentication: ExpressibleByArgument {}
extension ClientProfile: ExpressibleByArgument {}

extension CalendarDay: ExpressibleByArgument {}
extension BilledRate: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
    static var allValueStrings: [String] { BilledResult.allCases.map { "\($0.rawValue)=RATE" } }
}

extension CallbackEventType: ExpressibleByArgument {
    package init?(argument: String) {
        guard let type = Self.registrable.first(where: { $0.rawValue == argument }) else { return nil }
        self = type
    }

    package static var allValueStrings: [String] { registrable.map(\.rawValue) }
}

extension ListenAddress: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}
