import FacadeScenarios
import GeYanSdk
import OneLoginSDK
import OneTapShell
import TYRZLogin
import TYRZSDK
import Testing

@Suite struct NeedTests {
    @Test("Whatever a scenario may need, one SDK has and another lacks", arguments: Need.allCases)
    func needs(_ need: Need) throws {
        let having = try [Facade.tyrzSDK, .tyrzLogin, .oneLogin, .geYan].filter { try $0.has(need) }
        #expect((1...3).contains(having.count), "\(having.map(\.name))")
    }
}
