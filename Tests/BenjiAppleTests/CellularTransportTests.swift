import BenjiClient
import BenjiProtocol
import Foundation
import Network
import Security
import Testing

/// The network of the stand-ins is one for the process.
@Suite(.serialized) struct CellularTransportTests {
    private func request(_ url: String) throws -> TransportRequest {
        TransportRequest(method: "POST", url: try ServerURL(url), body: Array("hello".utf8))
    }

    private func network(_ types: NWInterface.InterfaceType...) {
        let network = StandInNetwork.shared
        network.interfaces = types.map { NWInterface(standIn: $0, name: "\($0)") }
        network.asked = []
        network.answer = { sent in
            guard sent.suffix(5) == Data("hello".utf8) else { return nil }
            return Data("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok".utf8)
        }
    }

    @Test("A request leaves by mobile data while Wi-Fi is up, by TLS 1.2 or later, and says its own address")
    func exchange() async throws {
        network(.wifi, .cellular)
        let answer = try await CellularTransport().send(request("https://gateway.example/x"), timeout: .seconds(5))
        #expect(answer.status == 200)
        #expect(answer.body == Array("ok".utf8))
        #expect(answer.localAddress == InternetAddress("10.0.0.7"))
        let asked = try #require(StandInNetwork.shared.asked.first)
        #expect(asked.requiredInterfaceType == .cellular)
        #expect(asked.prohibitedInterfaceTypes == [.wifi, .wiredEthernet])
        #expect(asked.preferNoProxies)
        #expect(asked.standInTLS?.securityProtocolOptions.standInLeastVersion == .TLSv12)
    }

    @Test("Plain http, for the sandbox, asks for no TLS")
    func plain() async throws {
        network(.cellular)
        _ = try await CellularTransport().send(request("http://127.0.0.1:8080/x"), timeout: .seconds(5))
        #expect(try #require(StandInNetwork.shared.asked.first).standInTLS == nil)
    }

    @Test("The networks that are up are told apart, and a cable counts as Wi-Fi does")
    func status() async {
        network(.wifi)
        #expect(await AppleNetworkStatusSource().networkStatus() == NetworkStatus(cellular: false, wifi: true))
        network(.cellular)
        #expect(await AppleNetworkStatusSource().networkStatus() == NetworkStatus(cellular: true, wifi: false))
        network(.wiredEthernet)
        #expect(await AppleNetworkStatusSource().networkStatus() == NetworkStatus(cellular: false, wifi: true))
    }
}
