/// Why a command that was well formed could not do its work. Unlike a wrong flag it is answered without the usage text.
package struct CommandFailure: Error, CustomStringConvertible {
    package var description: String
    /// The cause, if a caller distinguishes it.
    package private(set) var cause: (any Error)?

    package init(_ description: String, cause: (any Error)? = nil) {
        (self.description, self.cause) = (description, cause)
    }
}
