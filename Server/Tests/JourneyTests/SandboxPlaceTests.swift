import Testing

@testable import BenjiCommand
@testable import ServerRuntime

@Suite("The sandbox's place")
struct SandboxPlaceTests {
    @Test("no setting of a server speaks of a sandbox or of faults")
    func settings() {
        #expect(!ConfigurationKeys.server.all.isEmpty)
        for key in ConfigurationKeys.server.all {
            #expect(!key.name.contains("sandbox") && !key.name.contains("fault") && !key.name.contains("phone"))
        }
    }

    @Test("the demo's ports are four different ones, and those that were asked for stay")
    func ports() throws {
        let ports = try DemoSandbox.Ports.take(device: 4001, server: 0)
        #expect(ports.device == 4001)
        #expect(Set([ports.device, ports.server, ports.line, ports.shop]).count == 4)
    }
}
