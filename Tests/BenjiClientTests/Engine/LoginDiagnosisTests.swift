import Benji
import BenjiClient
import BenjiProtocol
import BenjiTesting
import Testing

@Suite("A diagnosis names the first precondition of a login that does not hold")
struct LoginDiagnosisTests {
    private func diagnosis(_ answers: ScriptedTransport.Answer...) async throws -> LoginDiagnosis {
        try await PhoneLogin(engine: EngineLab(answers).engine).diagnose()
    }

    @Test("if all hold, all but the page's are named, and there is no advice")
    func good() async throws {
        let diagnosis = try await diagnosis(.prefetched())
        #expect(diagnosis.passed == [.install, .mobileData, .gateway, .app, .number])
        #expect(diagnosis.failed == nil && diagnosis.error == nil && diagnosis.advice(in: .english) == nil)
    }

    @Test(
        "a transport that fails is told apart: no network, mobile data off, and a gateway that is not reached",
        arguments: [
            (.noNetwork, .mobileData, .noNetwork), (.cellularUnavailable, .mobileData, .cellularDataOff),
            (.nameNotResolved, .gateway, .nameNotResolved), (.connectionRefused, .gateway, .connectionRefused),
            (.tlsFailed, .gateway, .tlsFailure),
        ] as [(TransportError.Code, LoginDiagnosis.Check, Situation)])
    func transport(_ code: TransportError.Code, _ check: LoginDiagnosis.Check, _ situation: Situation) async throws {
        let diagnosis = try await diagnosis(.broken(code))
        #expect(diagnosis.failed == check && diagnosis.error?.situation == situation)
        #expect(diagnosis.passed == (check == .gateway ? [.install, .mobileData] : [.install]))
    }

    @Test(
        "what the server refuses is the app's registration, or the number behind the address",
        arguments: [
            (.appUnknown, .app), (.bundleMismatch, .app), (.appKeyWrong, .app), (.assuranceTooLow, .app),
            (.addressUnknown, .number), (.carrierUnsupported, .number), (.overloaded, .gateway),
        ] as [(Situation, LoginDiagnosis.Check)])
    func refused(_ situation: Situation, _ check: LoginDiagnosis.Check) async throws {
        let diagnosis = try await diagnosis(.refused(situation))
        #expect(diagnosis.failed == check && diagnosis.error?.situation == situation)
        #expect(diagnosis.description.contains("\(check.rawValue): \(situation.rawValue)"))
        for language in Language.allCases { #expect(diagnosis.advice(in: language)?.isEmpty == false) }
    }

    @Test("the gateway is asked even if an answer is in memory, and a login afterwards uses the new one")
    func anew() async throws {
        let lab = EngineLab([.prefetched(), .refused(.addressUnknown), .prefetched(), .authorized()])
        let benji = PhoneLogin(engine: lab.engine)
        try await benji.prefetch()
        #expect(try await benji.diagnose().failed == .number)
        #expect(try await benji.diagnose().failed == nil)
        #expect(try await benji.logIn(presenting: FakePresenter()).token == EngineLab.token)
        #expect(await lab.transport.requests.count == 4)
    }

    @Test("a call that was cancelled is no diagnosis")
    func cancelled() async {
        let benji = PhoneLogin(engine: EngineLab(.broken(.cancelled)).engine)
        await #expect(throws: BenjiError(.cancelledByApp, "")) { try await benji.diagnose() }
    }
}
