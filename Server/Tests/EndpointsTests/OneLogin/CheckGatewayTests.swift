@_spi(Server) import BenjiProtocol
import Testing

@testable import Endpoints
@testable import Requests

@Suite("OnePass's check_gateway")
struct CheckGatewayTests {
    private let endpoints = OneLoginEndpoints(.only(VendorRequests.app()))

    @Test("the phone's own number is 0 and another is 1, both with status 200")
    func answers() async {
        #expect(
            await endpoints.answer(.checkGateway, VendorRequests.checkGateway())
                == .object(["status": 200, "error_msg": "", "result": "0"]))
        #expect(
            await endpoints.answer(.checkGateway, VendorRequests.checkGateway(number: "14700000001"))
                == .object(["status": 200, "error_msg": "", "result": "1"]))
    }

    @Test("a number may be written with its country code, or as a JSON number")
    func numbers() async {
        for number in ["+8614700000000", "008614700000000"] {
            let answer = await endpoints.answer(.checkGateway, VendorRequests.checkGateway(number: number))
            #expect(answer["result"] == "0", "\(number)")
        }
        let request = VendorRequests.checkGateway().setting("phone", .number("14700000000"))
        #expect(await endpoints.answer(.checkGateway, request)["result"] == "0")
    }

    @Test(
        "what is missing or malformed has the code of its own row",
        arguments: [
            ("process_id", nil, "2000"), ("process_id", "0011", "2004"), ("accesscode", nil, "2002"),
            ("accesscode", "STsid", "3200"), ("sign", nil, "2001"), ("sign", "zz", "2104"), ("phone", nil, "2003"),
            ("phone", "", "2003"), ("phone", "number", "2003"), ("phone", .bool(true), "2003"),
            ("timestamp", nil, "2005"), ("timestamp", "1", "2005"),
        ] as [(String, JSON?, String)])
    func grammar(name: String, value: JSON?, code: String) async {
        let service = ScriptedServerService(.only(VendorRequests.app()))
        let request = VendorRequests.checkGateway().setting(name, value)
        #expect(await OneLoginEndpoints(service: service).code(.checkGateway, request) == code)
        #expect(service.seen.tokens.isEmpty)
    }

    @Test("every refusal of the authority has its code")
    func codes() async {
        for (situation, code) in [
            (.tokenSpent, "3105"), (.processIDUnknown, "3102"), (.appUnknown, "3101"), (.tokenExpired, "3200"),
            (.tokenWrongProcess, "3200"), (.internalError, "500"),
        ] as [(Situation, String)] {
            let endpoints = OneLoginEndpoints(.only(VendorRequests.app(), refusal: Refusal(situation, "")))
            #expect(await endpoints.code(.checkGateway, VendorRequests.checkGateway()) == code, "\(situation)")
        }
    }
}
