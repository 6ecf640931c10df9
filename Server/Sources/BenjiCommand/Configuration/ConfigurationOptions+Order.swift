import Administration
import Authority
import BenjiProtocol
import Foundation
import ServerRuntime

#if Face
import FaceAccounts
#endif

extension ConfigurationOptions {
    /// Gives an order to the installation that the options name, as the machine's user, and returns its answer.
    func order<Asked: Order>(
        _ order: Asked, reason: String? = nil,
        preparing: @Sendable (Installation) async throws -> Void = { _ in }
    ) async throws -> JSON {
        try await AppCommand.withInstallation(self) { installation in
            try await preparing(installation)
            return try await installation.administration.perform(order, by: .machineUser, reason: reason)
        }
    }
}

extension Caller {
    /// The user who runs a command on the machine: they may open the database, and so may give every order. Under sudo
    /// the user who asked for it is named too.
    static var machineUser: Caller {
        let user = NSUserName()
        // By its number, because anybody may write anything into the variable of its name.
        let asked = ProcessInfo.processInfo.environment["SUDO_UID"].flatMap(UInt32.init).flatMap(getpwuid).map {
            String(cString: $0.pointee.pw_name)
        }
        return Caller(
            name: asked.flatMap { $0 == user ? nil : "\($0) (as \(user))" } ?? user, role: .operator,
            seesNumbers: true, origin: "command line")
    }
}

extension OrderNote {
    /// An order of the user who runs a command on the machine.
    static func machineUser(_ order: String, because reason: String? = nil) -> OrderNote {
        let caller = Caller.machineUser
        return OrderNote(
            actor: caller.name, role: caller.role.rawValue, origin: caller.origin, order: order, reason: reason)
    }
}

extension Installation {
    /// All that can be ordered of it.
    var administration: Administration {
        #if Face
        Administration(authority: authority, store: store, describesFace: faceAccounts.description)
        #else
        Administration(authority: authority, store: store)
        #endif
    }
}
