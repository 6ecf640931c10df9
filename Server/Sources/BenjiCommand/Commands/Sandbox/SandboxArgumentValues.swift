package import ArgumentParser
package import Sandbox

// The choices of the sandbox, as they are written on a command line.
extension SIMTray: ExpressibleByArgument {}
extension PhoneNetwork: ExpressibleByArgument {
    /// Also under the names that the sandbox's page gives them.
    package init?(argument: String) {
        switch argument.lowercased() {
        case "mobile", "mobile-data", "mobile data": self = .cellular
        case "wi-fi": self = .wifi
        case let name: self.init(rawValue: name)
        }
    }
}
extension SandboxStep: ExpressibleByArgument {}
