package import FaceMatching
import Foundation

/// A picture of a face that can be bent: the mesh that was found on it is moved, and the picture moves along.
///
/// It tests how a liveness challenge resists an attacker who feeds in pictures. No model, no training: one photo.
package struct Puppet: Sendable {
    private let width: Int
    private let height: Int
    /// The part of the picture that is shown, in the size in which it is shown.
    private let picture: [UInt8]
    /// The mesh, and after it points around the face and on the edges, which hold the rest of the picture.
    private let points: [SIMD3<Double>]
    private let triangles: [(Int, Int, Int)]
    private let middle: SIMD3<Double>
    /// How far the head is turned in the picture; the puppet looks straight.
    private let yaw: Double
    /// Half of the way from cheek to cheek.
    private let half: Double

    /// - Parameters:
    ///   - image: a picture; the face that `face` was measured on fills half of the frame's height.
    ///   - width: of a frame, in pixels; even.
    package init(_ image: FaceImage, _ face: FaceObservation, width: Int = 640, height: Int = 480) {
        self.width = width
        self.height = height
        let mesh = face.mesh.points
        // From the picture as sent to the frame.
        let scale = Double(height) * 0.56 / (mesh[152].y - mesh[10].y)
        let center = (mesh[10] + mesh[152]) / 2
        let frame = SIMD3(Double(width) / 2, Double(height) / 2, 0)
        let placed = mesh.map { ($0 - SIMD3(center.x, center.y, 0)) * scale + frame }
        picture = Self.cut(image, face, scale: scale, center: center, width, height)
        yaw = face.mesh.orientation.yaw
        middle = SIMD3((placed[234].x + placed[454].x) / 2, frame.y, (placed[234].z + placed[454].z) / 2)
        half = (placed[454].x - placed[234].x) / 2
        var points = placed
        for reach in [1.25, 1.7] {
            for step in 0..<20 {
                let angle = Double(step) * .pi / 10
                points.append(
                    SIMD3(
                        middle.x + cos(angle) * half * reach * 1.05,
                        frame.y + sin(angle) * Double(height) * 0.28 * reach * 1.12, middle.z))
            }
        }
        for step in 0...6 {
            let x = Double(width) * Double(step) / 6
            let y = Double(height) * Double(step) / 6
            points += [SIMD3(x, 0, 1e3), SIMD3(x, Double(height), 1e3)]
            if step > 0, step < 6 { points += [SIMD3(0, y, 1e3), SIMD3(Double(width), y, 1e3)] }
        }
        self.points = points
        triangles = Triangulation(points.map { .init(x: $0.x, y: $0.y) }).triangles
    }

    /// Returns the puppet's picture in a pose.
    package func frame(_ pose: PuppetPose) -> PuppetFrame {
        let moved = bent(pose)
        // The far ones first, so that the near ones cover them.
        let order = triangles.sorted {
            moved[$0.0].z + moved[$0.1].z + moved[$0.2].z > moved[$1.0].z + moved[$1.1].z + moved[$1.2].z
        }
        var canvas = picture
        let lids = lidSkin
        canvas.withUnsafeMutableBufferPointer { canvas in
            picture.withUnsafeBufferPointer { picture in
                for triangle in order {
                    // The lids of open eyes are folded away: the skin below the eyes takes their place.
                    let isLid =
                        pose.blink > 0.25 && Self.lids.contains(triangle.0) && Self.lids.contains(triangle.1)
                        && Self.lids.contains(triangle.2)
                    draw(triangle, moved, isLid ? lids : points, picture, canvas)
                }
            }
            if pose.mouth > 0 {
                picture.withUnsafeBufferPointer { drawMouth(pose, moved, $0, canvas) }
            }
            guard pose.blink > 0.25 else { return }
            for eye in [[33] + Self.lowerLids.prefix(7) + [133], [263] + Self.lowerLids.suffix(7) + [362]] {
                // Where lashes are: a thin dark line.
                let line = eye.map { moved[$0] }
                shade(
                    canvas, inside: line + line.reversed().map { $0 - SIMD3(0, half * 0.022, 0) }, (45, 30, 28),
                    0.75 * pose.blink)
            }
        }
        return PuppetFrame(width: width, height: height, pixels: canvas)
    }

    // MARK: - Bending

    private static let upperLids = [
        246, 161, 160, 159, 158, 157, 173, 466, 388, 387, 386, 385, 384, 398,
    ]
    private static let lowerLids = [
        7, 163, 144, 145, 153, 154, 155, 249, 390, 373, 374, 380, 381, 382,
    ]
    private static let aboveLids = [247, 30, 29, 27, 28, 56, 190, 467, 260, 259, 257, 258, 286, 414]
    /// The lips in rows from the outer edge to the inner, each from the picture's left corner of the mouth to its right
    /// one.
    private static let upperLips = [
        [61, 185, 40, 39, 37, 0, 267, 269, 270, 409, 291], [76, 184, 74, 73, 72, 11, 302, 303, 304, 408, 306],
        [62, 183, 42, 41, 38, 12, 268, 271, 272, 407, 292], [78, 191, 80, 81, 82, 13, 312, 311, 310, 415, 308],
    ]
    private static let lowerLips = [
        [61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291], [76, 77, 90, 180, 85, 16, 315, 404, 320, 307, 306],
        [62, 96, 89, 179, 86, 15, 316, 403, 319, 325, 292], [78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308],
    ]

    private static let lids = Set(upperLids + aboveLids + [33, 133, 362, 263])

    /// Where the picture of closed lids is taken from.
    private var lidSkin: [SIMD3<Double>] {
        var skin = points
        for ((upper, lower), above) in zip(zip(Self.upperLids, Self.lowerLids), Self.aboveLids) {
            let height = max(points[lower].y - points[upper].y, 2)
            skin[upper] = points[lower] + SIMD3(0, height * 0.35, 0)
            skin[above] = points[lower] + SIMD3(0, height * 1.5, 0)
        }
        for corner in [33, 133, 362, 263] { skin[corner].y += 3 }
        return skin
    }

    private func bent(_ pose: PuppetPose) -> [SIMD3<Double>] {
        var moved = points
        for (upper, lower) in zip(Self.upperLids, Self.lowerLids) {
            let way = points[lower] - points[upper]
            moved[upper] += way * pose.blink
        }
        openMouth(&moved, pose.mouth)
        turn(&moved, (pose.yaw - yaw) * .pi / 180)
        // The edges stay; the rings go along by half.
        for index in 0..<moved.count where points[index].z < 1e3 {
            let part = index < 468 ? 1 : index < 488 ? 0.8 : 0.3
            moved[index] += SIMD3(pose.x, pose.y, 0) * part
        }
        return moved
    }

    /// The jaw goes down and takes the lower lip along; the corners of the mouth follow by a part and come closer.
    private func openMouth(_ moved: inout [SIMD3<Double>], _ opening: Double) {
        guard opening > 0 else { return }
        let (left, right) = (points[61], points[291])
        let mouth = (left + right) / 2
        let lips = (right.x - left.x) / 2
        let (nose, lowerLip) = (points[2].y, points[17].y)
        let drop = opening * half * 0.5
        let corner = 0.3
        /// How far the edge of the lower lip goes down, in parts of `drop`.
        func lip(_ across: Double) -> Double { corner + (1 - corner) * max(1 - across * across, 0).squareRoot() }
        func below(_ point: SIMD3<Double>) -> Double {
            let across = abs(point.x - mouth.x) / lips
            if point.y <= mouth.y {
                // Beside the mouth and the nose; the upper lip's middle stays.
                return corner * max((point.y - nose) / (mouth.y - nose), 0) * min(across * across, 1)
            }
            let down = min((point.y - mouth.y) / (lowerLip - mouth.y), 1)
            return max(corner + (1 - corner) * down, across < 1 ? lip(across) : 0)
        }
        var parts = (0..<468).map { points[$0].y > nose ? below(points[$0]) : 0 }
        for (rows, isLower) in [(Self.upperLips, false), (Self.lowerLips, true)] {
            for row in rows {
                let width = (points[row[10]].x - points[row[0]].x) / 2
                let middle = (points[row[10]].x + points[row[0]].x) / 2
                for index in row {
                    let across = min(abs(points[index].x - middle) / width, 1)
                    parts[index] = isLower ? lip(across) : corner * across * across
                }
            }
        }
        for index in 0..<468 where parts[index] != 0 {
            let way = points[index].x - mouth.x
            let jaw = min(abs(way) / (half * 1.1), 1)
            let part = parts[index] * (1 - jaw * jaw)
            moved[index].y += drop * part
            moved[index].x -= way * opening * 0.14 * max(1 - abs(way) / (lips * 2), 0) * min(part / corner, 1)
        }
    }

    private func turn(_ moved: inout [SIMD3<Double>], _ angle: Double) {
        for index in 0..<moved.count where points[index].z < 1e3 {
            let part = index < 468 ? 1 : index < 488 ? 0.7 : 0.2
            let (sine, cosine) = (sin(angle * part), cos(angle * part))
            let place = moved[index] - middle
            moved[index].x = middle.x + place.x * cosine - place.z * sine
            moved[index].z = middle.z + place.x * sine + place.z * cosine
        }
    }

    // MARK: - Drawing

    /// Draws the mouth's inside: the upper lip keeps its pixels, and below it is dark, with a tongue.
    private func drawMouth(
        _ pose: PuppetPose, _ moved: [SIMD3<Double>], _ picture: UnsafeBufferPointer<UInt8>,
        _ canvas: UnsafeMutableBufferPointer<UInt8>
    ) {
        var shut = pose
        shut.mouth = 0
        let closed = bent(shut)
        let (upper, lower) = (Self.upperLips[3], Self.lowerLips[3])
        let edge = upper.map { moved[$0] } + lower.dropFirst().dropLast().reversed().map { moved[$0] }
        let middle = edge.reduce(SIMD3.zero, +) / Double(edge.count)
        let strength = min(pose.mouth * 4, 1)
        // A soft edge: pixels nearer the middle are painted more often.
        for size in [1, 0.95, 0.9] {
            shade(canvas, inside: edge.map { middle + ($0 - middle) * size }, (42, 14, 15), strength * 0.75)
        }
        let tongue = middle + (moved[14] - middle) * 0.72
        for size in [0.62, 0.55, 0.48] {
            let line = edge.map { tongue + ($0 - middle) * SIMD3(size, size * 0.55, 1) }
            shade(canvas, inside: line, (128, 58, 60), strength * 0.3)
        }
        // The teeth that the picture shows; not the edge of the lip below them.
        var (from, to) = (points, moved)
        for (one, other) in zip(upper, lower).dropFirst().dropLast() {
            let part = points[other].y - points[one].y < 2 ? 0 : 0.8
            from[other] = points[one] + (points[other] - points[one]) * part
            to[other] = moved[one] + (closed[other] - closed[one]) * part
        }
        for place in 0..<upper.count - 1 {
            let (one, two, three, four) = (upper[place], upper[place + 1], lower[place], lower[place + 1])
            draw((one, two, three), to, from, picture, canvas)
            draw((two, four, three), to, from, picture, canvas)
        }
    }

    private func draw(
        _ triangle: (Int, Int, Int), _ moved: [SIMD3<Double>], _ points: [SIMD3<Double>],
        _ picture: UnsafeBufferPointer<UInt8>, _ canvas: UnsafeMutableBufferPointer<UInt8>
    ) {
        let (a, b, c) = (moved[triangle.0], moved[triangle.1], moved[triangle.2])
        let (p, q, r) = (points[triangle.0], points[triangle.1], points[triangle.2])
        let area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
        guard abs(area) > 1e-6 else { return }
        let left = max(Int(min(a.x, b.x, c.x).rounded(.down)), 0)
        let right = min(Int(max(a.x, b.x, c.x).rounded(.up)), width - 1)
        let top = max(Int(min(a.y, b.y, c.y).rounded(.down)), 0)
        let bottom = min(Int(max(a.y, b.y, c.y).rounded(.up)), height - 1)
        guard left <= right, top <= bottom else { return }
        for y in top...bottom {
            for x in left...right {
                let (dx, dy) = (Double(x), Double(y))
                let one = ((b.x - dx) * (c.y - dy) - (b.y - dy) * (c.x - dx)) / area
                let two = ((c.x - dx) * (a.y - dy) - (c.y - dy) * (a.x - dx)) / area
                let three = 1 - one - two
                guard one >= -1e-9, two >= -1e-9, three >= -1e-9 else { continue }
                let from = (
                    x: p.x * one + q.x * two + r.x * three, y: p.y * one + q.y * two + r.y * three
                )
                Self.sample(picture, from.x, from.y, width, height, canvas, (y * width + x) * 3)
            }
        }
    }

    /// Mixes a colour into what lies within a closed line.
    private func shade(
        _ canvas: UnsafeMutableBufferPointer<UInt8>, inside line: [SIMD3<Double>], _ color: (Double, Double, Double),
        _ strength: Double
    ) {
        guard strength > 0, let top = line.map(\.y).min(), let bottom = line.map(\.y).max() else { return }
        for y in max(Int(top), 0)...min(max(Int(bottom), 0), height - 1) {
            let middle = Double(y) + 0.5
            let crossings = zip(line, line.dropFirst() + line.prefix(1)).compactMap { one, other -> Double? in
                guard (one.y > middle) != (other.y > middle) else { return nil }
                return one.x + (middle - one.y) / (other.y - one.y) * (other.x - one.x)
            }.sorted()
            for pair in stride(from: 0, to: crossings.count - 1, by: 2) {
                let left = max(Int((crossings[pair] - 0.5).rounded(.up)), 0)
                for x in left..<max(min(Int((crossings[pair + 1] - 0.5).rounded(.up)), width), left) {
                    for (channel, value) in [color.0, color.1, color.2].enumerated() {
                        let place = (y * width + x) * 3 + channel
                        let old = Double(canvas[place])
                        canvas[place] = UInt8(old + (value - old) * strength)
                    }
                }
            }
        }
    }

    /// Mixes the four pixels around a place.
    @inline(__always)
    private static func sample(
        _ picture: UnsafeBufferPointer<UInt8>, _ x: Double, _ y: Double, _ width: Int, _ height: Int,
        _ canvas: UnsafeMutableBufferPointer<UInt8>, _ place: Int
    ) {
        let left = min(max(Int(x), 0), width - 2)
        let top = min(max(Int(y), 0), height - 2)
        let (right, down) = (min(max(x - Double(left), 0), 1), min(max(y - Double(top), 0), 1))
        for channel in 0..<3 {
            let at = (top * width + left) * 3 + channel
            let upper = Double(picture[at]) * (1 - right) + Double(picture[at + 3]) * right
            let lower =
                Double(picture[at + width * 3]) * (1 - right) + Double(picture[at + width * 3 + 3]) * right
            canvas[place + channel] = UInt8(upper * (1 - down) + lower * down)
        }
    }

    /// The part of a picture around a face, in the size of a frame; what lies beyond the picture repeats its edge.
    private static func cut(
        _ image: FaceImage, _ face: FaceObservation, scale: Double, center: SIMD3<Double>, _ width: Int, _ height: Int
    ) -> [UInt8] {
        let kept = Double(image.keptWidth) / Double(image.width)
        let pixels = image.pixels
        let (keptWidth, keptHeight) = (image.keptWidth, image.keptHeight)
        var cut = [UInt8](repeating: 0, count: width * height * 3)
        cut.withUnsafeMutableBufferPointer { cut in
            pixels.withUnsafeBufferPointer { pixels in
                for y in 0..<height {
                    for x in 0..<width {
                        let fromX = ((Double(x) - Double(width) / 2) / scale + center.x) * kept
                        let fromY = ((Double(y) - Double(height) / 2) / scale + center.y) * kept
                        sample(
                            pixels, min(max(fromX, 0), Double(keptWidth - 1)),
                            min(max(fromY, 0), Double(keptHeight - 1)), keptWidth, keptHeight, cut,
                            (y * width + x) * 3)
                    }
                }
            }
        }
        return cut
    }
}
