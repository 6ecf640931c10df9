#if Face
import ServerRuntime
import ArgumentParser

struct FaceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "face",
        abstract: "See what face matching makes of pictures and how often it errs; look after face accounts.",
        discussion: """
            It needs the models: `make face-models` fetches them once. docs/face.md says what they are, what they \
            measure, what they do
            not, and how far to trust it.

              benji face inspect selfie.jpg        what is seen in a picture
              benji face evaluate pairs.txt        how often it errs on pairs that you know
              benji face try                       a page for the camera and the challenge

            Accounts need no models: they are counted, frozen, thawed and erased in the data directory itself.
            """.paragraphs,
        subcommands: [
            FaceInspectCommand.self, FaceEvaluateCommand.self, FaceTryCommand.self, FaceCountCommand.self,
            FaceFreezeCommand.self,
            FaceThawCommand.self, FaceEraseCommand.self,
        ])
}
#endif
