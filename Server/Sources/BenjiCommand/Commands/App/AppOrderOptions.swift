import Administration
import ArgumentParser
import Authority
import BenjiProtocol

/// The options of every order about an app.
struct AppOrderOptions: ParsableArguments {
    @OptionGroup var options: OrderOptions
    @Argument(help: "The app's id: 12 to 64 letters and digits.") var id: AppID
    @OptionGroup var why: ReasonOptions
    @Flag(help: "Print JSON.") var json = false

    /// Gives an order and returns its answer.
    func give(_ order: some Order) async throws -> JSON { try await options.order(order, reason: why.reason) }

    /// Gives an order whose answer is an app, and shows that.
    func show(_ order: some Order) async throws { AppCommand.show(try await give(order), json: json) }
}

/// The options of an order about a number.
struct NumberOrderOptions: ParsableArguments {
    @OptionGroup var options: OrderOptions
    @Option(help: "The number, such as 13900000009 or +85291234567.") var number: PhoneNumber
    @OptionGroup var why: ReasonOptions

    /// Gives an order and returns its answer.
    @discardableResult
    func give(_ order: some Order) async throws -> JSON { try await options.order(order, reason: why.reason) }
}

/// Why an order is given, for the audit log.
struct ReasonOptions: ParsableArguments {
    @Option(help: "Why, for the audit log; no phone numbers and no names of people.") var reason: String?

    func validate() throws {
        if let problem = reason.flatMap({ OrderNote.problem(inReason: $0) }) { throw ValidationError("--\(problem)") }
    }
}
