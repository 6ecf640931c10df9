import BenjiProtocol
import Testing

@testable import BenjiCommand

@Suite("Findings about a running server")
struct RunningServerTests {
    private func findings(_ readiness: String) throws -> [String]? {
        DoctorCommand.readiness(of: try JSON(parsing: readiness))?.map { "\($0.verdict) \($0.subject): \($0.text)" }
    }

    @Test("Doctor lists what /health/ready says to fail and every warning, and is content with a server that has none")
    func readiness() throws {
        #expect(
            try findings(#"{"status":"ready","checks":{"store":"ok","gateway":"ok"}}"#) == [
                "good running server: ready, and warns of nothing"
            ])
        let text = #"""
            {"status":"not ready","checks":{"store":"ok","gateway":"the journal cannot be written"},
            "warnings":["gateway: NAS pgw: bad_authenticator, 12 packets within 30 minutes: set nas.pgw.secret"]}
            """#
        #expect(
            try findings(text) == [
                "warning running server: gateway: the journal cannot be written",
                "warning running server: gateway: NAS pgw: bad_authenticator, 12 packets within 30 minutes: "
                    + "set nas.pgw.secret",
            ])
    }

    @Test("An answer that is not that of /health/ready has no findings", arguments: ["{}", "[]", #"{"checks":"ok"}"#])
    func foreign(answer: String) throws {
        #expect(try findings(answer) == nil)
    }
}
