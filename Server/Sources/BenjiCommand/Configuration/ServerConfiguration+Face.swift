import Authority
import BenjiFaceProtocol
@_spi(Server) import BenjiProtocol
import Foundation
import ServerRuntime

#if Face
import FaceMatching
#endif

extension ServerConfiguration {
    /// Face login, if it is switched on.
    static func face(_ settings: Settings) throws(ConfigurationError) -> Face? {
        guard try settings.flag("face.enabled", default: false) else {
            // Switched off by hand for a while; the rest may wait in the file.
            if settings.string("face.enabled") != nil { settings.allow("face.") }
            return nil
        }
        return try faceSettings(settings)
    }
}

#if Face
extension ServerConfiguration {
    /// Face login, switched on.
    struct Face: Sendable {
        var terms: FaceTerms
        var models: FaceModelFolder
        var engines: Int
        var policy: FacePolicy
        var leastAssurance = Assurance.netApp
    }

    private static func faceSettings(_ settings: Settings) throws(ConfigurationError) -> Face {
        let url = try settings.value("face.terms-url", "an address such as https://id.example/face-terms") {
            $0.hasPrefix("https://") || $0.hasPrefix("http://") ? $0 : nil
        }
        let terms = FaceTerms(
            version: try settings.value("face.terms-version", default: "1", "1 to 48 letters, digits, dots or dashes") {
                (1...48).contains($0.utf8.count) && $0.utf8.allSatisfy(isPlain) ? $0 : nil
            }, title: settings.string("face.terms-title") ?? "人脸信息处理规则", url: url)
        if let problem = TextGrammar.problem(inName: terms.title) {
            throw ConfigurationError(key: "face.terms-title", problem: problem)
        }
        return Face(
            terms: terms, models: settings.string("face.models").map { FaceModelFolder($0) } ?? FaceFolder.models(),
            engines: try settings.number("face.engines", default: 1),
            policy: try settings.string("face.policy").map(facePolicy) ?? .standard,
            leastAssurance: try settings.value(
                "face.least-assurance", default: .netApp, "sms, net, net+app or net+app+address"
            ) { Assurance(rawValue: $0).flatMap { $0 == .sim || $0 < .sms ? nil : $0 } })
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte == 0x2d
            || byte == 0x2e
    }

    static func facePolicy(at path: String) throws(ConfigurationError) -> FacePolicy {
        guard let data = FileManager.default.contents(atPath: path) else {
            let reason = CommandFile.readingProblem(path) ?? "it cannot be read"
            throw ConfigurationError(key: "face.policy", problem: "\(path): \(reason)")
        }
        do { return try FacePolicy(try JSON(parsing: data)) } catch {
            throw ConfigurationError(key: "face.policy", problem: "\(path): \(error)")
        }
    }
}
#else
extension ServerConfiguration {
    /// Face login, switched on: never, in this build.
    enum Face: Sendable {
        var leastAssurance: Assurance { switch self {} }
    }

    private static func faceSettings(_ settings: Settings) throws(ConfigurationError) -> Face {
        throw ConfigurationError(key: "face.enabled", problem: FaceParts.absence)
    }
}
#endif
