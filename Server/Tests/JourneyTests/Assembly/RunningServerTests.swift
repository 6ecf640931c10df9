import Foundation
import Testing

@testable import BenjiCommand

@Suite("Who holds the folder")
struct RunningServerTests {
    private let locks = """
        1: POSIX  ADVISORY  WRITE 812 08:01:1234 0 EOF
        2: FLOCK  ADVISORY  WRITE 4711 08:01:1234 0 EOF
        3: FLOCK  ADVISORY  WRITE 99 08:02:1234 0 EOF
        4: FLOCK  ADVISORY  WRITE -1 08:01:77 0 EOF
        4: -> FLOCK  ADVISORY  WRITE 98 08:01:1234 0 EOF
        broken
        """

    @Test("The process that has locked a file is read from the system's list, by disk and file")
    func list() {
        let device = UInt64(8) << 8 | 1
        #expect(RunningServer.holder(ofInode: 1234, device: device, in: locks) == 4711)
        #expect(RunningServer.holder(ofInode: 1234, device: device + 1, in: locks) == 99)
        #expect(RunningServer.holder(ofInode: 77, device: device, in: locks) == nil, "of another container")
        #expect(RunningServer.holder(ofInode: 5, device: device, in: locks) == nil)
    }

    @Test("A folder in use is told with the folder and what to do")
    func words() throws {
        let configuration = try DemoStage.configuration(dataDirectory: "/srv/benji", ports: (0, 0, 0, 0))
        let said = RunningServer(holding: "/nothing/here").problem(configuration)
        #expect(said.contains("/srv/benji") && said.contains("another process") && said.contains("stop it"))
    }
}
