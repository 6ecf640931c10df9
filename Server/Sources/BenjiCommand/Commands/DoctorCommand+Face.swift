import BenjiProtocol

#if Face
import FaceMatching
#endif

extension DoctorCommand {
    /// The findings about face login.
    static func examineFace(_ configuration: ServerConfiguration) -> [Finding] {
        guard configuration.role != .gateway else { return examineHandedOnFaces(configuration) }
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

    private static func examineHandedOnFaces(_ configuration: ServerConfiguration) -> [Finding] {
        guard configuration.handsOnFaces else { return [] }
        #if Face
        let pages = "and shows face login's pages"
        #else
        let pages = "and has no pages of face login, because this build has none"
        #endif
        return [
            Finding(
                subject: "face", verdict: .good,
                text: "hands requests on \(pages): the authority needs face.enabled too")
        ]
    }
}
