#if !Face
import ServerRuntime
import ArgumentParser

/// `benji face` in a build without the trait `Face`.
struct FaceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "face", abstract: "Nothing: \(FaceParts.absence).")
    @Argument(parsing: .captureForPassthrough) var rest: [String] = []

    func run() throws { throw CommandFailure(FaceParts.absence) }
}

/// `benji app face` in a build without the trait `Face`.
struct AppFaceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "face", abstract: "Nothing: \(FaceParts.absence).")
    @Argument(parsing: .captureForPassthrough) var rest: [String] = []

    func run() throws { throw CommandFailure(FaceParts.absence) }
}
#endif
