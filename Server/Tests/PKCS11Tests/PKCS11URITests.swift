import BenjiProtocol
import PKCS11
import Testing

@Suite("URIs of PKCS#11")
struct PKCS11URITests {
    private func problem(_ text: String) -> String {
        do throws(PKCS11URI.Problem) {
            _ = try PKCS11URI(text)
            return "read"
        } catch { return error.description }
    }

    @Test("A URI names token, key, module and the PIN's file, and its name holds neither module nor file")
    func reading() throws {
        let uri = try PKCS11URI(
            "pkcs11:token=Payment%20HSM;serial=00a1;object=m%C3%A4ster;id=%01%fF;type=secret-key"
                + "?module-path=/opt/hsm%3Blib.so&pin-source=file:/etc/benji/hsm-pin")
        #expect(uri.token == "Payment HSM" && uri.serial == "00a1" && uri.object == "mäster" && uri.id == [1, 255])
        #expect(uri.modulePath == "/opt/hsm;lib.so" && uri.pinPath == "/etc/benji/hsm-pin")
        #expect(uri.name == "pkcs11:token=Payment%20HSM;serial=00a1;object=m%C3%A4ster;id=%01%fF;type=secret-key")
    }

    @Test(
        "The PIN's file may be named in each form of RFC 7512", arguments: ["file:/a/pin", "file:///a/pin", "/a/pin"])
    func pinSources(_ source: String) throws {
        #expect(try PKCS11URI("pkcs11:token=t;object=o?module-path=/m.so&pin-source=\(source)").pinPath == "/a/pin")
    }

    @Test("The example of the configuration is read") func example() throws { _ = try PKCS11URI(PKCS11URI.example) }

    @Test(
        "What names no key that could be found again is refused, and the error says what to write",
        arguments: [
            ("", "must begin with pkcs11:"), ("pkcs12:token=t", "must begin with pkcs11:"),
            ("pkcs11:", "add its label: token="), ("pkcs11:object=o?module-path=/m.so", "add its label: token="),
            ("pkcs11:token=t?module-path=/m.so", "add its label: object="),
            ("pkcs11:token=t;object=o", "module-path="), ("pkcs11:token=t;object=o?module-path=m.so", "whole path"),
            ("pkcs11:token=t;object=o?module-path=/m.so&pin-source=pin", "whole path"),
            ("pkcs11:token=t;object=o?module-path=/m.so&pin-source=|cat", "whole path"),
            ("pkcs11:slot-id=0;object=o?module-path=/m.so", "slots change their numbers"),
            ("pkcs11:token=t;object=o;colour=red?module-path=/m.so", "colour"),
            ("pkcs11:token=t;object=o?module-path=/m.so&module-name=x", "module-name"),
            ("pkcs11:token=t;object=o;type=private?module-path=/m.so", "no secret key"),
            ("pkcs11:token=t;token=u;object=o?module-path=/m.so", "twice"),
            ("pkcs11:token=t;object=?module-path=/m.so", "behind object="),
            ("pkcs11:token=t%4;object=o?module-path=/m.so", "hexadecimal"),
            ("pkcs11:token=%ff;object=o?module-path=/m.so", "UTF-8"),
            ("pkcs11:token=t%00;object=o?module-path=/m.so", "UTF-8"),
            ("pkcs11:token=t;;object=o?module-path=/m.so", "name=value"),
            ("pkcs11:token=my hsm;object=o?module-path=/m.so", "%20"),
        ])
    func refused(_ text: String, _ words: String) { #expect(problem(text).contains(words), "\(text)") }

    @Test("A PIN in the URI is refused and not repeated")
    func pin() {
        let said = problem("pkcs11:token=t;object=o?module-path=/m.so&pin-value=804213")
        #expect(said.contains("pin-source=file:") && !said.contains("804213"))
    }

    @Test("Reading ends without a trap, whatever comes")
    func anything() {
        let random = SystemRandomSource()
        let example = Array(PKCS11URI.example.utf8)
        for _ in 0..<20_000 {
            var bytes = example
            for change in random.bytes(4) {
                let place = Int(change) * bytes.count / 256
                switch change % 3 {
                case 0: bytes[place] = random.bytes(1)[0]
                case 1: bytes.remove(at: place)
                default: bytes.insert(Array("%;=?&:/".utf8)[Int(change) % 7], at: place)
                }
            }
            // Each URI that is read has all that a key needs.
            guard let uri = try? PKCS11URI(String(decoding: bytes, as: UTF8.self)) else { continue }
            #expect(uri.modulePath.hasPrefix("/") && uri.token ?? uri.serial != nil)
        }
    }
}
