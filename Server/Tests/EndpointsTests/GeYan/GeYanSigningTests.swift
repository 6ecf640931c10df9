@_spi(Server) import BenjiProtocol
import Testing

@testable import Endpoints

@Suite("GeYan's signs")
struct GeYanSigningTests {
    private let key = "gywzffojtnzl0vd6kcut8fcgyud5wg49"

    @Test("both signs are what an independent SHA-256 makes of the documented texts")
    func signs() {
        let request = JSON.object([
            "token": "STsid0000001517196594066OHmZvPMBwn2MkFxwvWkV12JixwuZuyDU", "gyuid": "GY_1", "empty": "",
            "nothing": .null, "processId": "00112233445566778899aabbccddeeff", "appId": "oCRdOzLa9S8Jyf3hVbpYa5",
            "timestamp": 1_542_355_862_990, "sign": "ff",
        ])
        let joined = GeYanSigning.joined(request)
        #expect(
            joined.map { GeYanSigning.longSign(joined: $0, key: key) }
                == "aba77cc0287ac0c982b2f28e2b26eb976db88ba528e1bdb8b9032e0932de8127")
        #expect(
            GeYanSigning.shortSign(timestamp: "1542355862990", key: key)
                == "37789814382423d61848d6ab278e53d4557c3f4c33285aa8e79f1e252e5ad6de")
    }

    @Test("what could be cut in more than one way is not joined; a naive joining gives two requests one text")
    func ambiguity() {
        let one = JSON.object(["a": "1&b=2"])
        let other = JSON.object(["a": "1", "b": "2"])
        func naive(_ json: JSON) -> String {
            guard case .object(let members) = json else { return "" }
            return members.map { "\($0.name)=\($0.value.stringValue ?? "")" }.joined(separator: "&")
        }
        #expect(naive(one) == naive(other), "this is the attack")
        #expect(GeYanSigning.joined(one) == nil)
        #expect(GeYanSigning.joined(other) == "a=1&b=2")
        for odd in [JSON.object(["a=1&b": "2"]), .object(["a": .bool(true)]), .object(["a": .array([])]), .array([])] {
            #expect(GeYanSigning.joined(odd) == nil, "\(odd.text)")
        }
    }
}
