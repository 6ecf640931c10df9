import BenjiProtocol
import Sandbox
import Testing

@testable import BenjiCommand

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

    @Test("The example configuration keeps each setting apart from its meaning")
    func example() {
        for key in ConfigurationKeys.all {
            #expect(!ConfigurationKeys.exampleFile.contains(key.name + key.meaning), "\(key.name)")
            #expect(ConfigurationKeys.exampleFile.contains("#   \(key.name) "), "\(key.name)")
        }
    }

    @Test("A mistyped command is answered with the one that was meant, whatever options follow")
    func mistyped() {
        let mistyped = MistypedCommand.first(in: ["app", "creat", "--name", "x"], of: Benji.self)
        #expect(mistyped?.problem.contains("benji app has no command \"creat\"; did you mean create?") == true)
        #expect(MistypedCommand.first(in: ["serv"], of: Benji.self)?.problem.contains("did you mean serve?") == true)
        let unlike = MistypedCommand.first(in: ["app", "xyz"], of: Benji.self)
        #expect(unlike?.problem.contains("it has create, list") == true)
        for good in [
            [], ["app"], ["app", "create", "--name", "x"], ["app", "add", "--name"], ["--help"], ["help", "app"],
            ["app", "--help"], ["explain", "103902"], ["app", "help", "create"],
        ] {
            #expect(MistypedCommand.first(in: good, of: Benji.self) == nil, "\(good)")
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
}
