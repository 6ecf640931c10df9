#if Face
import Requests
import ServerRuntime
import ArgumentParser
import Authority
import BenjiProtocol
import FaceMatching
import Foundation

struct FaceInspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Say what is seen in a picture, or how alike the faces of several are.",
        discussion: """
            Decodes a JPEG or PNG under the limits of a picture, with --ring under those of a login's frames, finds \
            the face that it
            is about and prints everything that is measured.

            With more than one picture, how alike each is to the first follows: it is no match, however alike, where a \
            part of one of
            the faces is covered or outside of the picture, and with --ring where a face has any flaw. Nothing is kept.

            Leaves with status 1 if a picture is refused; the code is the first word of the reason.

            Examples:
              benji face inspect selfie.jpg
              benji face inspect enrolled.jpg login.jpg --json
            """.paragraphs)

    @Argument(help: "JPEG or PNG files.") var pictures: [String]
    @Flag(
        help: "Look as a login does: at the largest face in the ring, the circle that fits into the picture's middle.")
    var ring = false
    @OptionGroup var options: FaceOptions
    @OptionGroup var thresholds: FacePolicyOption
    @Flag(help: "Print one line of JSON for each picture.") var json = false

    func validate() throws {
        guard !pictures.isEmpty else { throw ValidationError("name a picture") }
    }

    func run() async throws {
        let analyzer = try await options.analyzer(policy: try thresholds.policy())
        let terminal = Terminal()
        var first: FaceEmbedding?
        var isFirstFlawed = false
        var isRefused = false
        for picture in pictures {
            do throws(FaceError) {
                let bytes: [UInt8]
                do { bytes = try FaceOptions.read(picture) } catch { throw FaceError(.imageEmpty, "\(error)") }
                let face = try await analyzer.observe(
                    bytes, measuring: .all, in: ring ? .ring : .picture,
                    within: ring ? analyzer.policy.challenge.limits : nil)
                let flaws = analyzer.policy.flaws(of: face)
                let similarity = first.flatMap { one in face.embedding.map(one.similarity(to:)) }
                // No login compares such a face.
                let isFlawed = flaws.contains { ring || $0.hides }
                if first == nil { (first, isFirstFlawed) = (face.embedding, isFlawed) }
                let isCompared = !isFlawed && !isFirstFlawed
                if json {
                    terminal.print(Self.json(picture, face, flaws, similarity, isCompared, analyzer.policy).text)
                } else {
                    terminal.print(terminal.styled(picture.printable, .bold))
                    for (name, value) in Self.rows(face, flaws, similarity, isCompared, analyzer.policy) {
                        terminal.print("  \(Terminal.padded(name, to: 14))\(value)")
                    }
                }
            } catch {
                isRefused = true
                if json {
                    terminal.print(
                        JSON.object([
                            "picture": .string(picture), "refused": .string(error.code.rawValue),
                            "detail": .string(error.detail),
                        ]).text)
                } else {
                    terminal.print(
                        "\(terminal.styled(picture.printable, .bold))\n"
                            + "  \(terminal.styled("refused", .red))       \("\(error)".printable)")
                }
            }
        }
        if isRefused { throw ExitCode(1) }
    }

    private static func rows(
        _ face: FaceObservation, _ flaws: [FaceFlaw], _ similarity: Double?, _ isCompared: Bool, _ policy: FacePolicy
    ) -> [(String, String)] {
        let orientation = face.mesh.orientation
        let light = face.light
        var rows = [
            ("picture", "\(face.imageWidth) × \(face.imageHeight)"),
            (
                "face",
                """
                at \(whole(face.box.left)), \(whole(face.box.top)), \(whole(face.box.width)) × \
                \(whole(face.box.height)), \
                sure to \(two(face.score)), \(whole(face.eyeDistance)) pixels between the eyes
                """
            ),
            (
                "head",
                "yaw \(whole(orientation.yaw))°, pitch \(whole(orientation.pitch))°, roll \(whole(orientation.roll))°"
            ),
            ("eyes, mouth", "open to \(two(face.eyes ?? 0)), \(two(face.mesh.mouthOpening))"),
            (
                "light",
                """
                sharpness \(whole(light.sharpness)), brightness \(two(light.brightness)), contrast \
                \(two(light.contrast)), \
                clipped \(two(light.clipped)), imbalance \(two(light.imbalance))
                """
            ),
            (
                "covered",
                "mouth \(two(face.cover.mouth)), eyes \(two(face.cover.eyes)), a side \(two(face.cover.side)), "
                    + "outside of the picture \(two(face.outside))"
            ),
            ("flaws", flaws.isEmpty ? "none" : flaws.map(\.rawValue).joined(separator: "; ")),
        ]
        if let attributes = face.attributes {
            rows.append(("age", "about \(whole(attributes.age))"))
            rows.append(("male", two(attributes.male)))
            let shares = FaceExpression.allCases.map { ($0, attributes.expressions[$0] ?? 0) }.sorted { $0.1 > $1.1 }
            rows.append(("expression", shares.prefix(3).map { "\($0.0) \(two($0.1))" }.joined(separator: ", ")))
        }
        if let liveness = face.liveness {
            rows.append(("passive score", "\(two(liveness.score)); almost any photo passes \(two(policy.liveness))"))
        }
        if let similarity {
            let verdict =
                if !isCompared {
                    "no match, because of a flaw of a face"
                } else if similarity >= policy.verification { "one person at \(two(policy.verification))" } else {
                    "not taken for one person at \(two(policy.verification))"
                }
            rows.append(("to the first", "\(two(similarity)): \(verdict)"))
        }
        return rows
    }

    private static func json(
        _ picture: String, _ face: FaceObservation, _ flaws: [FaceFlaw], _ similarity: Double?, _ isCompared: Bool,
        _ policy: FacePolicy
    ) -> JSON {
        func number(_ value: Double) -> JSON { .number(String(format: "%.4f", value)) }
        let orientation = face.mesh.orientation
        return .object([
            "picture": .string(picture), "yaw": number(orientation.yaw), "pitch": number(orientation.pitch),
            "roll": number(orientation.roll), "eyeOpening": number(face.eyes ?? 0),
            "mouthOpening": number(face.mesh.mouthOpening), "sharpness": number(face.light.sharpness),
            "mouthCovered": number(face.cover.mouth), "eyesCovered": number(face.cover.eyes),
            "sideCovered": number(face.cover.side), "outside": number(face.outside),
            "flaws": .array(flaws.map { .string("\($0)") }), "age": face.attributes.map { number($0.age) },
            "male": face.attributes.map { number($0.male) },
            "expression": face.attributes.map { .string($0.expression.rawValue) },
            "passiveScore": face.liveness.map { number($0.score) }, "similarity": similarity.map(number),
            "isMatch": similarity.map { .bool(isCompared && $0 >= policy.verification) },
        ])
    }

    private static func two(_ value: Double) -> String { String(format: "%.2f", value) }
    private static func whole(_ value: Double) -> String { String(format: "%.0f", value) }
}
#endif
