import ArgumentParser
import ServerRuntime

struct PhoneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phone", abstract: "Be a phone, or its packet core, from the command line.",
        discussion: """
            attach, update and detach speak RADIUS accounting to a gateway, as a packet core does. login and verify \
            run the real SDK
            engine, whose requests leave by the address or interface given. reassign and port are the operator's
            orders that a number has a new owner, or a new carrier; show says what the register knows of it.

            The others control the phones of a sandbox that `benji demo` has started, as its page does: list and add \
            phones,
            set-sim, set-network, set-fault, tap to log in, token for your own app, messages that came by SMS, and the \
            timeline of what
            happened.
            """.paragraphs,
        subcommands: [
            PhoneAttachCommand.self, PhoneUpdateCommand.self, PhoneDetachCommand.self, PhoneLoginCommand.self,
            PhoneVerifyCommand.self, PhoneShowCommand.self, PhoneReassignCommand.self, PhonePortCommand.self,
            PhoneListCommand.self, PhoneAddCommand.self, PhoneRemoveCommand.self, PhoneSetSIMCommand.self,
            PhoneSetNetworkCommand.self, PhoneSetFaultCommand.self, PhoneClearFaultCommand.self, PhoneTapCommand.self,
            PhoneTokenCommand.self, PhoneMessagesCommand.self, PhoneTimelineCommand.self,
        ])
}
