import ArgumentParser
import BenjiProtocol
import Foundation
import Sandbox
import Testing

@testable import BenjiCommand
@testable import ServerRuntime

@Suite("What the terminal shows")
struct TerminalTests {
    @Test("Two columns never run together: after a cell that is too wide the line goes on below")
    func row() {
        #expect(Terminal.row([("a", 3), ("bc", 4)]) + "d" == "a  bc  d")
        #expect(
            Terminal.row([("a", 3), ("loginTokenValidate", 10)]) + "103000"
                == "a  loginTokenValidate\n             103000")
        #expect(Terminal.row([("本机", 4), ("b", 2)]) + "c" == "本机\n    b c")
    }

    @Test("Nothing of what a phone or an app's server wrote into a trace steers the terminal")
    func trace() throws {
        let detail = "the page was made from policy \u{1b}[2J\u{1b}]0;OWNED\u{7}all\u{202e} is well\u{9b}1m"
        let trace = JSON.object([
            "trace": "0", "app": "1",
            "events": .array([
                .object([
                    "at": 1, "party": "authority", "step": "authorize", "situation": "consent_invalid",
                    "detail": .string(detail),
                ])
            ]),
        ])
        let told = TraceStory(trace, .english).lines(Terminal(isColoured: false)).joined(separator: "\n")
        #expect(told.contains("[2J]0;OWNEDall is well1m"))
        for scalar in told.unicodeScalars where scalar != "\n" {
            #expect(![.control, .format].contains(scalar.properties.generalCategory))
        }
    }

    @Test("The example configuration keeps each setting apart from its meaning")
    func example() {
        for key in ConfigurationKeys.server.all {
            #expect(!ConfigurationKeys.serveExample.contains(key.name + key.meaning), "\(key.name)")
            #expect(ConfigurationKeys.serveExample.contains("#   \(key.name) "), "\(key.name)")
        }
    }

    @Test("A mistyped command is answered with the one that was meant, whatever options follow")
    func mistyped() {
        let mistyped = MistypedCommand.first(in: ["app", "creat", "--name", "x"], of: Benji.self)
        #expect(mistyped?.problem.contains("benji app has no command \"creat\"; did you mean create?") == true)
        #expect(MistypedCommand.first(in: ["serv"], of: Benji.self)?.problem.contains("did you mean serve?") == true)
        let unlike = MistypedCommand.first(in: ["app", "xyz"], of: Benji.self)
        #expect(unlike?.problem.contains("it has create, list") == true)
        // The default subcommand of `benji backup` takes a file in the same place.
        let nearly = MistypedCommand.first(in: ["backup", "verfy", "x.sqlite"], of: Benji.self)
        #expect(nearly?.problem.contains("no command \"verfy\"; did you mean verify?") == true)
        for good in [
            [], ["app"], ["app", "create", "--name", "x"], ["app", "add", "--name"], ["--help"], ["help", "app"],
            ["app", "--help"], ["explain", "103902"], ["app", "help", "create"], ["backup", "/backup/x.sqlite"],
            ["backup", "verify", "x.sqlite"],
        ] {
            #expect(MistypedCommand.first(in: good, of: Benji.self) == nil, "\(good)")
        }
    }

    @Test("What help is asked about is a command, or the one that was meant is named")
    func help() {
        let mistyped = MistypedCommand.first(in: ["help", "ap"], of: Benji.self)
        #expect(mistyped?.problem.contains("no command \"ap\"; did you mean app?") == true)
        let inner = MistypedCommand.first(in: ["help", "app", "creat"], of: Benji.self)
        #expect(inner?.problem.contains("benji app has no command \"creat\"; did you mean create?") == true)
        for good in [["help"], ["help", "app"], ["help", "app", "create"]] {
            #expect(MistypedCommand.first(in: good, of: Benji.self) == nil, "\(good)")
        }
    }

    @Test(
        "An option that a command does not have, or that is given twice, is named before anything else",
        arguments: [
            (["app", "create", "--nmae", "x"], "no option --nmae; did you mean --name?"),
            (
                ["app", "retire-key", "300000000001", "--version", "1"],
                "no option --version; did you mean --key-version?"
            ),
            (["app", "create", "--name", "x", "--version", "3"], "no option --version"),
            (["app", "list", "--data", "a", "--data=b"], "--data is given twice"),
            (["app", "list", "-c", "a", "--config", "b"], "-c and --config are both given"),
            (["app", "create", "--name", "x", "--name", "y"], "--name is given twice"),
            (["app", "list", "--json", "--json"], "--json is given twice"),
            (["app", "openid", "set", "1", "--digits", "--no-digits"], "--digits and --no-digits are both given"),
            (["app", "rotate-key", "1", "--overlap", "-3"], "written --overlap=-3"),
            (["app", "--version"], "no option --version"), (["app", "add", "--nmae", "x"], "did you mean --name?"),
            (["explain", "--al"], "did you mean --all?"), (["backup", "x.sqlite", "--froce"], "did you mean --force?"),
        ])
    func misused(arguments: [String], wanted: String) {
        let text = MisusedOption.first(in: arguments, of: Benji.self)?.text ?? "good"
        #expect(text.contains(wanted), "\(text)")
        #expect(text.contains("benji \(arguments[0])") && text.contains("--help"))
        let isTaken = (try? Benji.parseAsRoot(arguments)) != nil
        #expect(!isTaken || MisusedOption.mayBeTaken(in: arguments), "it is looked for")
    }

    @Test("An option that may be repeated, a value like an option, and a code that begins with a dash are let through")
    func rightlyUsed() {
        for good in [
            ["--version"], ["app", "create", "--bundle", "a", "--bundle", "b"], ["explain", "-20102", "-20103"],
            ["serve", "--set", "a=1", "--set", "b=2"], ["app", "create", "--nmae", "x", "--help"],
            ["app", "create", "--name=--x"], ["explain", "103902", "--", "--all"], ["app", "show", "1", "-c", "x"],
            ["phone", "login", "--key", "-"], ["nothing", "--x"], [], ["backup", "x.sqlite", "--force"],
        ] {
            #expect(MisusedOption.first(in: good, of: Benji.self) == nil, "\(good)")
        }
    }

    @Test("A network is also known by the name that the sandbox's page gives it")
    func networks() {
        for name in ["cellular", "mobile", "mobile-data", "Mobile data"] {
            #expect(PhoneNetwork(argument: name) == .cellular, "\(name)")
        }
        #expect(PhoneNetwork(argument: "Wi-Fi") == .wifi)
        #expect(PhoneNetwork(argument: "weak") == .weak)
        #expect(PhoneNetwork(argument: "carrier pigeon") == nil)
    }

    @Test("A moment is shown as a date")
    func date() {
        #expect(Timestamp(milliseconds: 1_795_319_113_076).dateText == "2026-11-22T03:45:13Z")
    }

    @Test("Moments of an answer are dates for people at every depth, and counts and durations stay numbers")
    func moments() throws {
        let moment = JSON.integer(1_795_319_113_076)
        for name in ["at", "since", "until", "createdAt", "noLinesUntil", "deletedAfter"] {
            #expect(moment.shown(as: name) == "2026-11-22T03:45:13Z", "\(name)")
        }
        #expect(moment.shown(as: "answers") == "1795319113076")
        #expect(JSON.integer(90).shown(as: "deletedAfter") == "90")
        let keys = try JSON(parsing: Array(#"{"keys":[{"use":"app","validUntil":1795319113076}],"left":3}"#.utf8))
        #expect(
            keys.shown(as: "after") == #"{"keys":[{"use":"app","validUntil":"2026-11-22T03:45:13Z"}],"left":3}"#)
    }

    @Test("An error of Foundation's about a file is told with the file and without domain and number")
    func fileError() throws {
        let path = NSTemporaryDirectory() + "no-\(UUID().uuidString)/deeper"
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            Issue.record("it was made")
        } catch {
            let text = ErrorText.of(error)
            #expect(!ErrorText.hasWords(error) && text.contains(path) && !text.contains("Domain"), "\(text)")
        }
        do { _ = try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
            #expect(ErrorText.of(error) == "\(path): there is no such file")
        }
    }
}
