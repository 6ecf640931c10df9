package import FaceMatching
import Foundation

/// Covers parts of a face in a picture, as masks, dark glasses and hands do. Colours, edges and textures differ, so
/// that no flaw is found by one of them alone.
package struct FacePainter {
    /// The material of a cover.
    package enum Cloth: CaseIterable, Sendable {
        case blue, white, black, skin, stripes, folds

        /// - Parameter skin: The colour of the cheek next to it.
        fileprivate func color(_ x: Int, _ y: Int, skin: SIMD3<Double>) -> SIMD3<Double> {
            let grain = Double((x &* 73 ^ y &* 151) & 7) - 4
            return switch self {
            case .blue: SIMD3(120, 165, 200) + grain
            case .white: SIMD3(228, 228, 232) + grain
            case .black: SIMD3(28, 28, 32) + grain
            case .skin: skin * 0.85 + grain
            case .stripes: (x + 2 * y) / 9 % 2 == 0 ? SIMD3(200, 60, 50) + grain : SIMD3(235, 225, 200) + grain
            case .folds: SIMD3(150, 185, 170) + Double(y / 7 % 2 == 0 ? 14 : -14) + grain
            }
        }
    }

    package private(set) var picture: PuppetFrame
    private let mesh: FaceMesh

    /// - Parameter mesh: as it was found in this picture.
    package init(_ picture: PuppetFrame, _ mesh: FaceMesh) {
        self.picture = picture
        self.mesh = mesh
    }

    private func point(_ index: Int) -> FacePoint { FacePoint(x: mesh.points[index].x, y: mesh.points[index].y) }

    private func between(_ one: Int, _ other: Int, _ part: Double) -> FacePoint {
        let (one, other) = (point(one), point(other))
        return FacePoint(x: one.x + (other.x - one.x) * part, y: one.y + (other.y - one.y) * part)
    }

    /// A mask from the nose to the chin.
    /// - Parameter height: where its edge crosses the nose: 0 below it, 1 at its bridge.
    package mutating func mask(_ cloth: Cloth, height: Double) {
        let left = [93, 132, 58, 172, 136, 150, 149, 176, 148].map(point)
        let right = [377, 400, 378, 379, 365, 397, 288, 361, 323].map(point)
        fill([between(2, 6, height)] + left + [point(152)] + right) { x, y, skin, _ in cloth.color(x, y, skin: skin) }
    }

    /// Dark glasses. The lenses let a little of the eyes through.
    package mutating func darkGlasses(tint: SIMD3<Double>) {
        for lens in lenses { fill(lens) { _, y, _, under in tint * (1 + 0.4 * Double(y % 50) / 50) + under * 0.06 } }
        frames(SIMD3(20, 20, 20))
    }

    /// Glasses through which the eyes are seen.
    package mutating func clearGlasses() { frames(SIMD3(40, 35, 30)) }

    /// One half of the face.
    /// - Parameters:
    ///   - isLeft: the picture's left.
    ///   - beyond: how far over the middle it reaches, as a part of the face's width; below 0 it does not reach it.
    package mutating func half(_ cloth: Cloth, isLeft: Bool, beyond: Double = 0) {
        let side =
            isLeft ? [127, 234, 93, 132, 58, 172, 136, 150, 176] : [356, 454, 323, 361, 288, 397, 365, 379, 400]
        let away = (point(454).x - point(234).x) * (isLeft ? beyond : -beyond)
        func shifted(_ index: Int) -> FacePoint { FacePoint(x: point(index).x + away, y: point(index).y) }
        fill([shifted(10), point(isLeft ? 54 : 284)] + side.map(point) + [shifted(152), shifted(4)]) { x, y, skin, _ in
            cloth.color(x, y, skin: skin)
        }
    }

    private var lenses: [[FacePoint]] {
        [(33, 133), (263, 362)].map { outer, inner in
            let (outer, inner) = (point(outer), point(inner))
            let middle = FacePoint(x: (outer.x + inner.x) / 2, y: (outer.y + inner.y) / 2)
            let width = outer.distance(to: inner)
            return (0..<24).map { step in
                // Rounder below than above.
                let angle = Double(step) * .pi / 12
                let down = sin(angle)
                return FacePoint(
                    x: middle.x + cos(angle) * width * 0.85,
                    y: middle.y + width * 0.12 + down * width * (down > 0 ? 0.62 : 0.5))
            }
        }
    }

    private mutating func frames(_ color: SIMD3<Double>) {
        let thick = point(33).distance(to: point(133)) * 0.08
        for lens in lenses {
            for (from, to) in zip(lens, lens.dropFirst() + [lens[0]]) { line(from, to, thick, color) }
        }
        line(lenses[0][0], lenses[1][12], thick, color)
        line(lenses[0][12], point(127), thick, color)
        line(lenses[1][0], point(356), thick, color)
    }

    private mutating func line(_ from: FacePoint, _ to: FacePoint, _ thick: Double, _ color: SIMD3<Double>) {
        let length = max(from.distance(to: to), 1)
        let across = FacePoint(x: -(to.y - from.y) / length * thick / 2, y: (to.x - from.x) / length * thick / 2)
        fill([
            FacePoint(x: from.x + across.x, y: from.y + across.y), FacePoint(x: to.x + across.x, y: to.y + across.y),
            FacePoint(x: to.x - across.x, y: to.y - across.y), FacePoint(x: from.x - across.x, y: from.y - across.y),
        ]) { _, _, _, _ in color }
    }

    /// Fills a polygon, in the light of the pixels under it.
    private mutating func fill(
        _ polygon: [FacePoint], _ color: (Int, Int, SIMD3<Double>, SIMD3<Double>) -> SIMD3<Double>
    ) {
        let cheek = point(50)
        let skin = at(Int(cheek.x), Int(cheek.y))
        let rows = max(Int(polygon.map(\.y).min()!), 0)...min(Int(polygon.map(\.y).max()!), picture.height - 1)
        for y in rows {
            var crossings: [Double] = []
            for (one, other) in zip(polygon, polygon.dropFirst() + [polygon[0]]) {
                let (low, high) = one.y < other.y ? (one, other) : (other, one)
                guard Double(y) >= low.y, Double(y) < high.y else { continue }
                crossings.append(low.x + (Double(y) - low.y) / (high.y - low.y) * (high.x - low.x))
            }
            crossings.sort()
            for pair in stride(from: 0, to: crossings.count - 1, by: 2) {
                let from = max(Int(crossings[pair]), 0)
                let to = min(Int(crossings[pair + 1]), picture.width - 1)
                guard from <= to else { continue }
                for x in from...to {
                    let value = color(x, y, skin, at(x, y))
                    for channel in 0..<3 {
                        picture.pixels[(y * picture.width + x) * 3 + channel] = UInt8(min(max(value[channel], 0), 255))
                    }
                }
            }
        }
    }

    private func at(_ x: Int, _ y: Int) -> SIMD3<Double> {
        let place = (min(max(y, 0), picture.height - 1) * picture.width + min(max(x, 0), picture.width - 1)) * 3
        return SIMD3(
            Double(picture.pixels[place]), Double(picture.pixels[place + 1]), Double(picture.pixels[place + 2]))
    }
}
