#if !Face
import ArgumentParser

/// `benji face` in a build without the trait `Face`.
struct FaceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "face", abstract: "Nothing: \(FaceLogin.absence).")
    @Argument(parsing: .captureForPassthrough) var rest: [String] = []

    func run() throws { throw CommandFailure(FaceLogin.absence) }
}

/// `benji app face` in a build without the trait `Face`.
struct AppFaceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "face", abstract: "Nothing: \(FaceLogin.absence).")
    @Argument(parsing: .captureForPassthrough) var rest: [String] = []

    func run() throws { throw CommandFailure(FaceLogin.absence) }
}
#endif
