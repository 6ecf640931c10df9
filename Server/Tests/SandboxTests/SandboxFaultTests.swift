import BenjiProtocol
import Catalogue
import Testing

@testable import Sandbox

@Suite("Faults of a phone")
struct SandboxFaultTests {
    @Test("every step that is answered takes every code, and every step a delay and a loss")
    func all() throws {
        for step in SandboxStep.allCases {
            for situation in Situation.all where situation != .success {
                #expect(((try? SandboxFault(step, .code(situation))) != nil) == step.answers)
            }
            _ = try SandboxFault(step, .drop)
            _ = try SandboxFault(step, .delay(.milliseconds(1)))
        }
    }

    @Test("a fault is read as it is written")
    func roundTrip() throws {
        for fault in [
            try SandboxFault(.page, .code(.carrierUnsupported)), try SandboxFault(.number, .drop, times: 3),
            try SandboxFault(.attach, .delay(.milliseconds(1500)), times: 1),
        ] {
            #expect(try SandboxFault(fault.json) == fault)
        }
    }

    @Test(
        "what is wrong with a fault is named",
        arguments: [
            (#"{"step": "page"}"#, "$.fault.kind"), (#"{"step": "moon", "kind": "drop"}"#, "$.fault.step"),
            (#"{"step": "attach", "kind": "code", "code": "overloaded"}"#, "$.fault.step"),
            (#"{"step": "page", "kind": "code", "code": "success"}"#, "$.fault.code"),
            (#"{"step": "page", "kind": "code", "code": "103000"}"#, "$.fault.code"),
            (#"{"step": "page", "kind": "delay", "milliseconds": 60001}"#, "$.fault.milliseconds"),
            (#"{"step": "page", "kind": "drop", "times": 0}"#, "$.fault.times"),
            (#"{"step": "page", "kind": "drop", "phone": 1}"#, "$.fault.phone"),
        ])
    func mistakes(text: String, place: String) throws {
        let json = try JSON(parsing: Array(text.utf8))
        let error = #expect(throws: JSONError.self) { try SandboxFault(json) }
        #expect(error?.place == place)
    }

    @Test("a fault that was put in twice happens twice, at its step, and only to whom it can happen")
    func counting() throws {
        let phone = SandboxPhone(position: 1)
        let fault = try SandboxFault(.tap, .drop, times: 2)
        phone.change { $0.fault = fault }
        #expect(phone.takeFault(at: .page, \.isOnTheWay) == nil)
        #expect(phone.takeFault(at: .tap, { !$0.isOnTheWay }) == nil)
        #expect(phone.takeFault(at: .tap, \.isOnTheWay) == .drop)
        #expect(phone.fault?.times == 1)
        #expect(phone.takeFault(at: .tap, \.isOnTheWay) == .drop)
        #expect(phone.fault == nil)
        #expect(phone.takeFault(at: .tap, \.isOnTheWay) == nil)
    }

    @Test("what is lost on the way is told once for each time, with its step and where it was lost")
    func lost() async throws {
        let (wiring, phone) = (SandboxWiring(), SandboxPhone(position: 1))
        let fault = try SandboxFault(.number, .drop, times: 1)
        phone.change { $0.fault = fault }
        #expect(await wiring.passes(phone, at: .code, from: .sandbox))
        #expect(await !wiring.passes(phone, at: .number, from: .sandbox))
        #expect(await wiring.passes(phone, at: .number, from: .sandbox))
        let told = wiring.timeline.entries()
        #expect(told.map(\.subject) == ["number"] && told.map(\.from) == [.sandbox] && told.map(\.detail) == ["lost"])
    }

    @Test("a code is no matter of the way: it waits for the step's answer")
    func codesPass() async throws {
        let (wiring, phone) = (SandboxWiring(), SandboxPhone(position: 1))
        let fault = try SandboxFault(.number, .code(.overloaded), times: 1)
        phone.change { $0.fault = fault }
        #expect(await wiring.passes(phone, at: .number, from: .sandbox))
        #expect(phone.fault == fault && wiring.timeline.entries().isEmpty)
    }

    @Test("a fault without a number of times stays")
    func staying() throws {
        let phone = SandboxPhone(position: 1)
        let fault = try SandboxFault(.connection, .drop)
        phone.change { $0.fault = fault }
        for _ in 0..<5 { #expect(phone.takeFault(at: .connection, \.isOnTheWay) == .drop) }
    }
}
