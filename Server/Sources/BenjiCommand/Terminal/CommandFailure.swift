/// Why a command that was well formed could not do its work. Unlike a wrong flag it is answered without the usage text.
struct CommandFailure: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
