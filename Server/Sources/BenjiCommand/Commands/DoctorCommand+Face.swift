import BenjiProtocol
import ServerRuntime

#if Face
import FaceMatching
#endif

extension DoctorCommand {
    /// The findings about face login.
    static func examineFace(_ configuration: ServerConfiguration) -> [Finding] {
        guard configuration.role != .gateway else { return [] }
        #if Face
        guard let face = configuration.face else {
            return configuration.role == .all
                ? [Finding(subject: "face", verdict: .good, text: "off; face.enabled switches it on")] : []
        }
        let models =
            if let problem = face.models.problem {
                Finding(
                    subject: "face", verdict: .warning, text: "not available: \(problem). Everything else works")
            } else {
                Finding(
                    subject: "face", verdict: .good, text: "models in \(face.models.path), \(face.engines) engines")
            }
        guard face.leastAssurance == .net else { return [models] }
        return [
            models,
            Finding(
                subject: "face.least-assurance", verdict: .warning,
                text:
                    "net: a device behind somebody's hotspot, with the app's key out of its package, can tie its own "
                    + "face "
                    + "to that person's number"),
        ]
        #else
        return configuration.role == .all
            ? [Finding(subject: "face", verdict: .good, text: "off; \(FaceParts.absence)")] : []
        #endif
    }
}
