internal import ArgumentParser

struct PhoneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phone", abstract: "Be a phone, or its packet core, from the command line.",
        discussion: """
            attach, update and detach speak RADIUS accounting to a gateway, as a packet core does. login and verify run the real SDK
            engine, whose requests leave by the address or interface given. reassign and port are the operator's
            orders that a number has a new owner, or a new carrier.
            """,
        subcommands: [
            PhoneAttachCommand.self, PhoneUpdateCommand.self, PhoneDetachCommand.self, PhoneLoginCommand.self,
            PhoneVerifyCommand.self, PhoneReassignCommand.self, PhonePortCommand.self,
        ])
}
