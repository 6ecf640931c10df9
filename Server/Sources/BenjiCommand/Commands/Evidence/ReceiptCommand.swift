import ArgumentParser
import Authority
@_spi(Server) import BenjiProtocol
import Foundation
import Requests
import ServerRuntime

/// Receipts of consents, for their recipients.
struct ReceiptCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipt",
        abstract: "Check the receipts of consents, and print the keys that they are checked with.",
        subcommands: [Verify.self, Keys.self])

    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Whether a receipt is the authority's word; needs its public keys and nothing else.",
            discussion: """
                The receipt is what a phone got as consentReceipt. Ends with status 1 if no key signed it while that \
                key was in use. With --consent it also says \
                whether this consent, as benji consent show --json prints its record, is the one that was received.

                Example:
                  benji receipt keys > keys.json      # or what /device/v1/policy answers, which has the present key \
                alone
                  benji receipt verify receipt.txt --keys keys.json
                """.paragraphs)
        @Argument(help: "File with the receipt; - for standard input.") var file: String
        @Option(help: "File with the authority's keys: a JWK set, a JWK, or what /device/v1/policy answers.") var keys:
            String
        @Option(help: "File with the signed record of a consent.") var consent: String?
        @Flag(help: "Print the receipt's claims as JSON.") var json = false

        func run() throws {
            let text = try Self.text(file)
            let receipt: ConsentReceipt
            let published: [PublishedReceiptKey]
            do {
                published = try ConsentReceipt.keys(in: JSON(parsing: CommandFile.text(keys, for: "--keys")))
            } catch let
                error as JSONError
            {
                throw CommandFailure(
                    "--keys \(keys): holds no keys of receipts: \(error.description.printable). benji receipt keys "
                        + "prints them"
                )
            }
            do { receipt = try ConsentReceipt(verifying: text, keys: published) } catch {
                throw CommandFailure("\(file): \(error.description.printable)")
            }
            if let consent {
                let hash = ConsentRecord.hash(of: try Self.text(consent))
                guard receipt.claims["consentHash"]?.stringValue == hash else {
                    throw CommandFailure("the receipt is for another consent than \(consent)")
                }
            }
            let terminal = Terminal()
            if json { return terminal.print(receipt.claims.text) }
            terminal.print(terminal.styled("The authority signed it, with the key \(receipt.key.thumbprint).", .green))
            guard case .object(let claims) = receipt.claims else { return }
            for claim in claims {
                let time: Timestamp? =
                    switch claim.name {
                    case "tickedAt", "tappedAt": claim.value.integerValue.map { Timestamp(milliseconds: $0) }
                    case "iat": claim.value.integerValue.map(Timestamp.init(seconds:))
                    default: nil
                    }
                let text = time?.dateText ?? claim.value.stringValue ?? claim.value.text
                terminal.print("\(terminal.styled(Terminal.padded(claim.name, to: 16), .cyan))\(text)")
            }
            let assurance = receipt.claims["assurance"]?.stringValue.flatMap(Assurance.init(rawValue:))
            let whoSigned: [Assurance: String] = [
                .net: "at the address", .sms: "who read the number's messages",
                .smsUpstream: "for whom a text was sent from the number",
            ]
            if let assurance, let whoSigned = whoSigned[assurance] {
                terminal.print(
                    "\nAt \(assurance.rawValue) it shows that somebody \(whoSigned) signed the consent, and not that a "
                        + "page was shown."
                )
            }
        }

        private static func text(_ path: String) throws -> String {
            let bytes =
                path == "-"
                ? FileHandle.standardInput.readDataToEndOfFile() : Data(try CommandFile.read(path))
            return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    struct Keys: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "keys",
            abstract: "The public keys of this installation's receipts, as a JWK set.",
            discussion: "Former keys stay in it for good: nbf and exp say from when until when each signed receipts.")
        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            let keys = try await options.withInstallation { try await $0.authority.receiptKeys() }
            Terminal().print(ConsentReceipt.set(of: keys).text)
        }
    }
}
