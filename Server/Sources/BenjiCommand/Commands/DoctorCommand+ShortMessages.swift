import Authority
import BenjiProtocol
import Foundation
import Logging
import ShortMessageSending
import ShortMessages

extension DoctorCommand {
    /// Connects to each SMSC and binds, as `benji serve` would; sends nothing.
    static func examineSenders(_ configuration: ServerConfiguration) async -> [Finding] {
        var findings: [Finding] = []
        for sender in configuration.shortMessageSenders {
            let subject = "sms \(sender.name)"
            switch sender.kind {
            case .smpp(let settings):
                let trouble = await bind(settings)
                findings.append(
                    Finding(
                        subject: subject, verdict: trouble == nil ? .good : .wrong,
                        text: trouble.map { explained($0) } ?? "\(settings.host):\(settings.port) takes the bind"))
            case .http(let settings, _):
                findings.append(
                    Finding(
                        subject: subject, verdict: .good,
                        text: "not tried: \(settings.url) would have to be sent a message"))
            case .file(let path):
                let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
                let isThere = FileManager.default.fileExists(atPath: path)
                let isGood = FileManager.default.isWritableFile(atPath: isThere ? path : folder)
                findings.append(
                    Finding(
                        subject: subject, verdict: isGood ? .warning : .wrong,
                        text: isGood
                            ? "messages are written to \(path), with numbers and texts, and reach no phone"
                            : "\(path) cannot be written"))
            }
        }
        if let number = configuration.smsUpstream.number {
            let speakers = configuration.smsUpstream.carriers.sorted { $0.key < $1.key }.map { name, carriers in
                "\(name) (\(carriers.map(\.rawValue).sorted().joined(separator: ", ")))"
            }
            findings.append(
                Finding(
                    subject: "sms upstream", verdict: .good,
                    text:
                        "whoever sends a text to \(number) is believed to have the number that "
                        + "\(speakers.joined(separator: ", ")) names; "
                        + "no other sender's word counts"))
        }
        return findings
    }

    /// - Returns: why there is no session; `nil` if there was one.
    private static func bind(_ settings: SMPPSender.Configuration) async -> String? {
        var logger = Logger(label: "doctor")
        logger.logLevel = .critical
        let sender = SMPPSender(
            settings, listener: UnheardShortMessages(), clock: SystemWallClock(), random: SystemRandomSource(),
            logger: logger)
        // The session's own time-outs come sooner. This is for a machine that has no time for it.
        let end = ContinuousClock.now + settings.session.responseTime + .seconds(120)
        return await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await sender.run() }
            var trouble = await sender.fault()
            while trouble == nil, await sender.trouble() != nil, ContinuousClock.now < end {
                try? await Task.sleep(for: .milliseconds(50))
                trouble = await sender.fault()
            }
            if trouble == nil { trouble = await sender.trouble() }
            tasks.cancelAll()
            return trouble
        }
    }

    private static func explained(_ trouble: String) -> String {
        trouble.contains("ESME_RALYBND")
            ? trouble + "; a server that runs holds the session that this SMSC allows" : trouble
    }
}
