import ArgumentParser
import BenjiProtocol
import ServerRuntime

struct PhoneTokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Earn a token for your own app on a phone of the sandbox, and print it.",
        discussion: """
            The real SDK on that phone, and a person who ticks and taps. Your server redeems the token; `benji sandbox \
            app` prints
            where, and with which id and key.

            Example:
              TOKEN=$(benji phone token phone-1)
            """.paragraphs)
    @OptionGroup var options: SandboxOptions
    @Argument(help: "phone-1, or 1.") var phone: String
    @Flag(help: "A token that can only answer whether a number is this phone's.") var verification = false

    func run() async throws {
        let purpose: TokenPurpose = verification ? .verification : .login
        let answer = try await options.client.send(
            "POST", try SandboxClient.path(of: phone, "/token"), .object(["purpose": .string(purpose.rawValue)]))
        if options.json { Terminal().print(answer.text) }
        guard let token = answer["token"]?.stringValue else {
            let situation = answer["situation"]?.stringValue ?? "?"
            if options.json { throw ExitCode(1) }
            throw CommandFailure(
                "\(situation): \(answer["detail"]?.stringValue ?? "")\nWhat to do: benji explain \(situation)")
        }
        if !options.json { Terminal().print(token) }
    }
}
