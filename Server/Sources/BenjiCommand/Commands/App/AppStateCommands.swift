import Administration
import ArgumentParser
import ServerRuntime

/// Stopping apps, and letting them go on.
enum AppStateCommands {
    struct Suspend: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "suspend", abstract: "Stop an app: nothing is answered to its phones and servers.",
            discussion: """
                It holds from the next request on. What the app has stays, and works again after a resume if it has \
                not expired.

                Example:
                  benji app suspend 300000000001 --reason "shows the page after the tap"
                """.paragraphs)
        @OptionGroup var given: AppOrderOptions

        func run() async throws { try await given.show(SuspendApp(given.id)) }
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "resume", abstract: "Let a suspended app go on.")
        @OptionGroup var given: AppOrderOptions

        func run() async throws { try await given.show(ResumeApp(given.id)) }
    }

    struct Allow: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "allow", abstract: "Put an app on the allow-list: it is answered from now on.")
        @OptionGroup var given: AppOrderOptions

        func run() async throws { try await given.show(AllowApp(given.id)) }
    }

    struct Disallow: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "disallow",
            abstract: "Take an app off the allow-list: it is not answered until it is on it again.")
        @OptionGroup var given: AppOrderOptions

        func run() async throws { try await given.show(AllowApp(given.id, isAllowed: false)) }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Stop an app for good; it can be taken back for some days.",
            discussion: """
                Nothing is answered to the app from the next request on. After the days its keys, its OpenID client \
                and its source ids \
                are removed. Ledger, consents and audit log stay as long as the law asks, and no other app ever gets \
                its id.

                Example:
                  benji app delete 300000000001 --reason "contract ended"
                  benji app keep 300000000001              # within 30 days
                """.paragraphs)
        @OptionGroup var given: AppOrderOptions
        @Option(help: "For how many days it can be taken back, 0 to 365.") var afterDays = DeleteApp.usualDays

        func run() async throws {
            try await given.show(DeleteApp(given.id, afterDays: afterDays))
            if !given.json, afterDays > 0 { Terminal().print("\nTo take it back: benji app keep \(given.id)") }
        }
    }

    struct Keep: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "keep", abstract: "Take back that an app is deleted, while its days last.")
        @OptionGroup var given: AppOrderOptions

        func run() async throws { try await given.show(KeepApp(given.id)) }
    }
}
