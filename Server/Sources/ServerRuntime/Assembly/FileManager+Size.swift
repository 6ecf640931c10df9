import Foundation

extension FileManager {
    /// Bytes of a file; 0 if there is none or it may not be looked at. A link is not followed.
    package func size(of path: String) -> Int {
        ((try? attributesOfItem(atPath: path))?[.size] as? NSNumber)?.intValue ?? 0
    }
}
