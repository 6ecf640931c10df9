// Does what its arguments say with Sources/BenjiServerAPI: see Tests/System/dialects/test_server_api.py.
import Foundation

let words = Array(CommandLine.arguments.dropFirst())
do {
    if words[0] == "event" {
        let headers = try JSONDecoder().decode([String: String].self, from: Data(words[2].utf8))
        let event = try BenjiEvent.read(
            Data(words[3].utf8), secrets: words[1].split(separator: " ").map(String.init),
            now: Date(timeIntervalSince1970: Double(words[4])!)
        ) { headers[$0] }
        print("ok \(event.id) \(event.type)")
    } else {
        let server = BenjiServer(url: words[1], app: words[2], secret: words[3])
        switch words[0] {
        case "redeem":
            let login = try await server.redeem(words[4], key: words[5])
            print("ok \(login.number) \(login.account) \(login.assurance) \(login.method) \(login.trace)")
        case "verify": print("ok \(try await server.verify(words[4], is: words[5]))")
        default: print("ok \(try await server.app().id)")
        }
    }
} catch let failure as BenjiServer.Failure {
    print("failure \(failure.code) \(failure.status) \(failure.param ?? "-")")
} catch is BenjiEvent.Refusal {
    print("not ours")
}
