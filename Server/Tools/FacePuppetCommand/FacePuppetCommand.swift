// FacePuppet as a program, for tests that are not written in Swift.
import ArgumentParser
import FaceMatching
import FacePuppet
import Foundation

/// Moves a picture of a face as a challenge asks, for browsers whose camera is a file.
@main
struct FacePuppetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "face-puppet", abstract: "Bend a picture of a face into a video. For tests of the challenge.",
        discussion: """
            Live, it writes one frame of a .y4m file over and over, ten times a second, and does what the lines of its \
            standard input
            name: turnLeft, turnRight, blink, openMouth, lookStraight; still (no movement and no noise), or the path \
            of another
            picture. Chromium reads that file as its camera:

              chromium --use-fake-ui-for-media-stream --use-fake-device-for-media-stream \
            --use-file-for-fake-video-capture=FILE

            With --play it writes a video of these gestures instead and ends. With --frames it writes them as \
            pictures, with
            --measure it prints what face matching makes of each.

            With --covers the picture is a folder that holds a folder for each person. The face of each is covered and \
            turned in
            several ways, and how often that is noticed is printed.
            """)

    @Argument(help: "A JPEG or PNG of a face.") var picture: String
    @Option(help: "The folder of the models.") var models = ".face/models"
    @Option(help: "The .y4m file.") var y4m: String?
    @Option(help: "Gestures to play, separated by commas.") var play: String?
    @Option(help: "A folder for frames of --play as pictures.") var frames: String?
    @Flag(help: "Put them into one folder for each gesture, named as in --play.") var sorted = false
    @Flag(help: "Print what is measured of each frame of --play.") var measure = false
    @Flag(help: "Cover the faces of the people in a folder, and print how often it is noticed.") var covers = false
    @Option(help: "The most people of --covers.") var people = 1000
    @Option(help: "Width of a frame.") var width = 640
    @Option(help: "Height of a frame.") var height = 480

    static let pace = Duration.milliseconds(100)

    func run() async throws {
        let analyzer = try await LocalFaceAnalyzer(models: FaceModelFolder(models), engines: 1)
        if covers { return try await CoveredFaces(analyzer).report(on: picture, people: people) }
        var puppet = try await Self.puppet(picture, analyzer, width, height)
        if let play {
            try await record(puppet, play.split(separator: ",").map(String.init), analyzer)
            return
        }
        guard let y4m else { throw ValidationError("name a file: --y4m FILE") }
        let video = try Video(y4m, width, height)
        let lines = Lines()
        lines.listen()
        let begin = ContinuousClock.now
        var play = PuppetPlay()
        var isStill = false
        var number: UInt64 = 1
        while true {
            let time = ContinuousClock.now - begin
            switch lines.next() {
            case .none: break
            case .some(.none): return
            case .some(.some("still")): isStill = true
            case .some(.some("lookStraight")): play.play(nil, at: time)
            case .some(.some(let word)):
                isStill = false
                if let gesture = FaceGesture(rawValue: word) {
                    play.play(gesture, at: time)
                } else {
                    puppet = try await Self.puppet(word, analyzer, width, height)
                }
            }
            var frame = puppet.frame(isStill ? PuppetPose() : play.pose(at: time))
            number += 1
            if !isStill { frame.addNoise(3, seed: number &* 0x9E37_79B9_7F4A_7C15) }
            try video.show(frame)
            try await Task.sleep(until: begin + (time + Self.pace))
        }
    }

    private static func puppet(
        _ path: String, _ analyzer: LocalFaceAnalyzer, _ width: Int, _ height: Int
    ) async throws -> Puppet {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw ValidationError("\(path) cannot be read")
        }
        let face = try await analyzer.observe(Array(bytes), measuring: [])
        return Puppet(try FaceImage(Array(bytes)), face, width: width, height: height)
    }

    private static func line(
        _ frame: PuppetFrame, _ word: String, _ number: Int, _ analyzer: LocalFaceAnalyzer
    ) async -> String {
        do throws(FaceError) {
            let face = try await analyzer.observe(frame.png, measuring: .all)
            let values = [face.mesh.turn, face.eyes ?? 0, face.mesh.mouthOpening, face.liveness?.score ?? 0]
            return "\(number) \(word) turn, eyes, mouth, passive score: "
                + values.map { String(format: "%.3f", $0) }.joined(separator: " ")
        } catch {
            return "\(number) \(word) \(error)"
        }
    }

    private func record(_ puppet: Puppet, _ words: [String], _ analyzer: LocalFaceAnalyzer) async throws {
        let video = try y4m.map { try Video($0, width, height) }
        var number = 0
        for word in words {
            let gesture = FaceGesture(rawValue: word)
            guard word == "lookStraight" || gesture != nil else {
                throw ValidationError("--play: \(word) is no gesture")
            }
            var play = PuppetPlay()
            play.play(gesture, at: .milliseconds(100 * number))
            for _ in 0..<25 {
                var frame = puppet.frame(play.pose(at: .milliseconds(100 * number)))
                frame.addNoise(3, seed: UInt64(number + 1) &* 0x9E37_79B9_7F4A_7C15)
                try video?.append(frame)
                if let frames {
                    let folder = sorted ? "\(frames)/\(word)" : frames
                    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                    let path = "\(folder)/\(String(format: "%04d", number)).png"
                    try Data(frame.png).write(to: URL(fileURLWithPath: path))
                }
                if measure { print(await Self.line(frame, word, number, analyzer)) }
                number += 1
            }
        }
    }
}

/// A .y4m file.
private struct Video {
    private let file: FileHandle
    private let header: Data

    init(_ path: String, _ width: Int, _ height: Int) throws {
        header = Data("YUV4MPEG2 W\(width) H\(height) F10:1 Ip A1:1 C420jpeg\n".utf8)
        _ = FileManager.default.createFile(atPath: path, contents: header)
        file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seekToEnd()
    }

    func append(_ frame: PuppetFrame) throws { try file.write(contentsOf: Data("FRAME\n".utf8) + Data(frame.i420)) }

    /// Writes in place: a program that reads the file in a loop sees the newest frame.
    func show(_ frame: PuppetFrame) throws {
        try file.seek(toOffset: UInt64(header.count))
        try append(frame)
    }
}

/// The lines of standard input, as they come.
private final class Lines: Sendable {
    private let queue = DispatchQueue(label: "lines")
    nonisolated(unsafe) private var waiting: [String?] = []

    // Unsafe is sound: `waiting` is touched on `queue` only.
    func listen() {
        let thread = Thread { [self] in
            while let line = readLine() { queue.sync { waiting.append(line) } }
            queue.sync { waiting.append(nil) }
        }
        thread.start()
    }

    /// The next line; `nil` if none has come, and the end of input within.
    func next() -> String?? { queue.sync { waiting.isEmpty ? nil : .some(waiting.removeFirst()) } }
}
