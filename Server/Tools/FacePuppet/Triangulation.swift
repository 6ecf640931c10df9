/// Triangles between points such that no point lies in another triangle's circle (Delaunay), by Bowyer's and Watson's
/// method.
struct Triangulation {
    struct Point {
        var x: Double
        var y: Double
    }

    private(set) var triangles: [(Int, Int, Int)] = []

    /// - Parameter given: all different; a few hundred.
    init(_ given: [Point]) {
        let reach = (given.flatMap { [abs($0.x), abs($0.y)] }.max() ?? 1) * 20 + 1
        let points =
            given + [
                Point(x: -reach, y: -reach), Point(x: reach, y: -reach), Point(x: 0, y: reach),
            ]
        var found = [(given.count, given.count + 1, given.count + 2)]
        for index in given.indices {
            var edges: [(Int, Int)] = []
            found.removeAll { triangle in
                guard Self.isInCircle(points[index], points, triangle) else { return false }
                edges += [(triangle.0, triangle.1), (triangle.1, triangle.2), (triangle.2, triangle.0)]
                return true
            }
            // An edge that two removed triangles shared is inside the hole.
            for edge in edges where edges.count(where: { Self.isSame($0, edge) }) == 1 {
                found.append((edge.0, edge.1, index))
            }
        }
        triangles = found.filter { max($0.0, $0.1, $0.2) < given.count }
    }

    private static func isSame(_ one: (Int, Int), _ other: (Int, Int)) -> Bool {
        one == other || one == (other.1, other.0)
    }

    private static func isInCircle(_ point: Point, _ points: [Point], _ triangle: (Int, Int, Int)) -> Bool {
        let a = points[triangle.0]
        let b = points[triangle.1]
        let c = points[triangle.2]
        let (ax, ay, bx, by) = (a.x - point.x, a.y - point.y, b.x - point.x, b.y - point.y)
        let (cx, cy) = (c.x - point.x, c.y - point.y)
        let squares = (ax * ax + ay * ay, bx * bx + by * by, cx * cx + cy * cy)
        let determinant =
            ax * (by * squares.2 - squares.1 * cy) - ay * (bx * squares.2 - squares.1 * cx)
            + squares.0 * (bx * cy - by * cx)
        let isCounterclockwise = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > 0
        return isCounterclockwise ? determinant > 0 : determinant < 0
    }
}
