/// The release of the programs.
package enum ServerRelease {
    package static let version = "0.1.0"
}
