import FaceMatching
import FacePuppet
import Foundation

/// Covers the faces of many people, each in its own way, and counts how often it is noticed. The figures of
/// docs/face.md come from here.
struct CoveredFaces {
    /// A way of covering a face.
    private struct Way {
        var name: String
        /// - Parameter variant: a number that is another for each person.
        var paint: (_ picture: PuppetFrame, _ mesh: FaceMesh, _ variant: Int) -> PuppetFrame
    }

    private struct Count {
        var pictures = 0
        /// A part of the face was missed, or no face was found.
        var noticed = 0
        /// Alike enough to the picture without the cover.
        var alike = 0
        /// The same, and nothing was noticed: what a login would take.
        var taken = 0
    }

    private let analyzer: LocalFaceAnalyzer

    init(_ analyzer: LocalFaceAnalyzer) { self.analyzer = analyzer }

    private static func everyWay() -> [Way] {
        let cloths = FacePainter.Cloth.allCases
        func painted(_ name: String, _ paint: @escaping (inout FacePainter, Int) -> Void) -> Way {
            Way(name: name) { picture, mesh, variant in
                var painter = FacePainter(picture, mesh)
                paint(&painter, variant)
                return painter.picture
            }
        }
        func tint(_ variant: Int) -> SIMD3<Double> {
            [SIMD3(14, 14, 16), SIMD3(60, 40, 25), SIMD3(30, 50, 85), SIMD3(35, 60, 40), SIMD3(90, 60, 70)][variant % 5]
        }
        return [
            Way(name: "nothing") { picture, _, _ in picture },
            painted("clear glasses") { painter, _ in painter.clearGlasses() },
            painted("a mask") { $0.mask(cloths[$1 % cloths.count], height: Double($1 % 11) / 11) },
            painted("dark glasses") { $0.darkGlasses(tint: tint($1)) },
            painted("one half covered") {
                $0.half(cloths[$1 % cloths.count], isLeft: $1 % 2 == 0, beyond: Double($1 % 7 - 3) / 50)
            },
            Way(name: "one half cut off") { picture, mesh, variant in
                let nose = min(max(Int(mesh.points[4].x) + variant % 13 - 6, 64), picture.width - 64)
                return variant % 2 == 0
                    ? picture.cropped(0, 0, nose, picture.height)
                    : picture.cropped(nose, 0, picture.width - nose, picture.height)
            },
            Way(name: "turned by a quarter") { picture, _, variant in picture.turned(variant % 2 == 0 ? 1 : 3) },
            Way(name: "upside down") { picture, _, _ in picture.turned(2) },
        ]
    }

    /// - Parameter folder: holds a folder for each person, as that of Labeled Faces in the Wild does. The people whose
    ///   names' CRC-32 is in the lower half were there to fit with; the first picture of each of the others is taken.
    func report(on folder: String, people most: Int) async throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            .filter { PuppetFrame.crc(Array($0.utf8)) >= 1 << 31 }
        let ways = Self.everyWay()
        var counts = [Count](repeating: Count(), count: ways.count)
        for (variant, name) in names.prefix(most).enumerated() {
            let files = try FileManager.default.contentsOfDirectory(atPath: folder + "/" + name).sorted()
            guard let file = files.first, let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)/\(file)"),
                let image = try? FaceImage(Array(bytes)),
                let face = try? await analyzer.observe(Array(bytes), measuring: .embedding), let own = face.embedding
            else { continue }
            let picture = PuppetFrame(image)
            for (index, way) in ways.enumerated() {
                let seen = try? await analyzer.observe(
                    way.paint(picture, face.mesh, variant).png, measuring: .embedding)
                let isNoticed = seen.map { analyzer.policy.flaws(of: $0).contains(where: \.hides) } ?? true
                let isAlike =
                    seen?.embedding.map { $0.similarity(to: own) >= analyzer.policy.verification } ?? false
                counts[index].pictures += 1
                counts[index].noticed += isNoticed ? 1 : 0
                counts[index].alike += isAlike ? 1 : 0
                counts[index].taken += isAlike && !isNoticed ? 1 : 0
            }
        }
        print("cover                pictures   noticed   alike   taken")
        for (way, count) in zip(ways, counts) {
            let cells = [count.noticed, count.alike, count.taken].map {
                String(format: "%8.2f", Double($0) / Double(max(count.pictures, 1)) * 100)
            }
            print(
                way.name.padding(toLength: 20, withPad: " ", startingAt: 0), String(format: "%8d", count.pictures),
                cells.joined())
        }
    }
}

extension PuppetFrame {
    fileprivate func cropped(_ left: Int, _ top: Int, _ width: Int, _ height: Int) -> PuppetFrame {
        moved(width, height) { ($0 + left, $1 + top) }
    }

    /// Clockwise, by so many quarters.
    fileprivate func turned(_ quarters: Int) -> PuppetFrame {
        let (w, h) = (width, height)
        return switch quarters {
        case 1: moved(h, w) { ($1, h - 1 - $0) }
        case 2: moved(w, h) { (w - 1 - $0, h - 1 - $1) }
        case 3: moved(h, w) { (w - 1 - $1, $0) }
        default: self
        }
    }

    /// Another picture of the same pixels, each taken from where `source` says.
    private func moved(_ width: Int, _ height: Int, _ source: (Int, Int) -> (Int, Int)) -> PuppetFrame {
        var result = [UInt8](repeating: 0, count: width * height * 3)
        for y in 0..<height {
            for x in 0..<width {
                let (column, row) = source(x, y)
                for channel in 0..<3 {
                    result[(y * width + x) * 3 + channel] = pixels[(row * self.width + column) * 3 + channel]
                }
            }
        }
        return PuppetFrame(width: width, height: height, pixels: result)
    }
}
