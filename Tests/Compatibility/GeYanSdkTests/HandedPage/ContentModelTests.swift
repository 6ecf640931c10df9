import BenjiTesting
import FacadeScenarios
import Testing

@testable import GeYanSdk

@Suite struct ContentModelTests {
    private func words(_ lab: GeYanLab) async -> [String] {
        await lab.run {
            let model = GyContentModel.currentModel()
            return [model.pn, model.slogan, model.term, model.link]
        }
    }

    @Test(
        "The content model says what the prefetch has brought, for every carrier",
        arguments: [
            (
                "13800000000",
                [
                    "138****0000", "中国移动提供认证服务", "中国移动认证服务条款",
                    "https://wap.cmpassport.com/resources/html/contract.html",
                ]
            ),
            (
                "13000000000",
                [
                    "130****0000", "认证服务由联通统一认证提供", "联通统一认证服务条款",
                    "https://opencloud.wostore.cn/authz/resource/html/disclaimer.html?fromsdk=true",
                ]
            ),
            (
                "18900000000",
                [
                    "189****0000", "天翼账号提供认证服务", "天翼账号服务与隐私协议",
                    "https://e.189.cn/sdk/agreement/detail.do?hidetop=true",
                ]
            ),
        ])
    func carriers(_ number: String, _ expected: [String]) async {
        let lab = GeYanLab(number)
        _ = await lab.prefetch()
        #expect(await words(lab) == expected)
    }

    @Test("Without a valid prefetch every text is empty")
    func empty() async {
        let lab = GeYanLab()
        #expect(await words(lab) == ["", "", "", ""])
        _ = await lab.prefetch()
        lab.clock.advance(by: .seconds(601))
        #expect(GyContentModel.of(lab.shell) == nil)
        _ = await lab.prefetch()
        await lab.run { GeYanSdk.deletePreResultCache() }
        #expect(GyContentModel.of(lab.shell) == nil)
    }

    @Test("What GyOneLoginPro keeps is told as well")
    func pro() async {
        let lab = GeYanLab(facade: .geYanPro)
        await lab.run { GyOneLoginPro.renewPreGetToken() }
        _ = await lab.heard { answer in GyOneLoginPro.getPreGetTokenResult { answer($0 ?? [:]) } }
        #expect(GyContentModel.of(lab.shell)?.pn == "138****0000")
        lab.shell.stopKeeping()
    }
}
