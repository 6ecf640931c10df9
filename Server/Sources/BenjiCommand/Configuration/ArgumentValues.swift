public import ArgumentParser
@_spi(Server) public import BenjiProtocol
public import Store

// How values of ours are written on a command line: as everywhere else.

extension AppID: @retroactive ExpressibleByArgument {
    public init?(argument: String) { self.init(rawValue: argument) }
}

extension IPAddress: @retroactive ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension PhoneNumber: @retroactive ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension Assurance: @retroactive ExpressibleByArgument {}
extension Capability: ExpressibleByArgument {}
extension SignAlgorithm: ExpressibleByArgument {}

extension ListenAddress: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}
