// Messages between gateway and authority. Each end is authenticated, but its messages are read as untrusted input.
//
// Covers: Server/Sources/Link/ErasedSubscriptions.swift
// Covers: Server/Sources/Link/ForwardedAnswer.swift
// Covers: Server/Sources/Link/ForwardedRequest.swift
// Covers: Server/Sources/Link/FramedMessage.swift
// Covers: Server/Sources/Link/LinkAnswer.swift
// Covers: Server/Sources/Link/ObservationBatch.swift
// Covers: Server/Sources/Link/PairMessages.swift
// Covers: Server/Sources/Link/RevocationBatch.swift
// Covers: Server/Sources/Link/Sighting+JSON.swift
@_spi(Server) import BenjiProtocol
import Sightings

@testable import Link
@testable import ServerHTTP

func target(_ input: [UInt8]) {
    forwarded(input)
    guard let json = try? JSON(parsing: input) else { return }
    // A head that is mutated as JSON. The length before it is hard to guess.
    forwarded(FramedMessage(head: json, body: [0, 255]).bytes ?? [])
    pair(json)
    register(json)
    if let answer = rewritten(json, LinkAnswer.init, \.json) {
        switch answer {
        case .answer: reached("an answer")
        case .storeError: reached("a store's error")
        }
    }
}

/// The messages of a gateway pair, and their replies.
private func pair(_ json: JSON) {
    if survive(json, PairQuestion.init, \.json) != nil { reached("a pair's question") }
    if let statement = survive(json, PairStatement.init, \.json) {
        if !statement.entries.isEmpty { reached("a pair's statement with an entry") }
        hold("a record's entries are bounded", statement.entries.count <= PairEntry.recordLimit)
        hold("only an owner with a fence records", statement.fence >= 1)
        entries(statement.entries)
    }
    if survive(json, PairRecording.init, \.json) != nil { reached("what was recorded") }
    if survive(json, { value throws(JSONError) in try PairStanding(value) }, \.json) != nil {
        reached("a pair's standing")
    }
    if let news = survive(json, PairUpdates.init, \.json) {
        reached("news of a pair")
        hold("news are bounded", news.entries.count <= PairUpdates.entryLimit)
        entries(news.entries)
    }
}

private func entries(_ entries: [PairEntry]) {
    for entry in entries {
        hold("an entry has a key", (1...PairEntry.longestKey).contains(entry.key.count))
        hold("an entry is bounded", entry.content.count <= PairEntry.longestContent)
    }
}

/// Requests to the register, and its replies.
private func register(_ json: JSON) {
    if let batch = rewritten(json, ObservationBatch.init, \.json) {
        reached("observations")
        hold("observations are bounded", (1...ObservationBatch.maximumCount).contains(batch.observations.count))
        for observation in batch.observations {
            hold("a number is not printed", !"\(batch)".contains(observation.number.e164))
            _ = observation.eventTime.seconds
        }
    }
    for count in 0...2 {
        let read = { (json: JSON) throws(JSONError) in try ObservationAnswer(json, count: count) }
        if let answer = survive(json, read, \.json) {
            hold("each observation has its answer", answer.subscriptions.count == count)
            if answer.subscriptions.contains(where: { $0 != nil }) { reached("the register's answer") }
        }
    }
    if survive(json, RevocationBatch.init, \.json) != nil { reached("revocations") }
    if survive(json, ErasedSubscriptions.init, \.json) != nil { reached("erased subscriptions") }
}

/// Requests of phones and browsers, and the answers to them.
private func forwarded(_ bytes: [UInt8]) {
    if let request = survived(bytes, ForwardedRequest.init, \.bytes) {
        switch request.sender.sighting {
        case .success(let sighting)?:
            reached("a request with a sighting")
            _ = sighting.time.seconds
        case .failure?: reached("a request of an unknown sender")
        case nil: reached("a request whose sender does not matter")
        }
        hold("a path begins with a slash", request.target.hasPrefix("/"))
        hold(
            "only fields of the list are forwarded",
            request.lines.allSatisfy { ForwardedRequest.headerNames.contains($0.name) })
        hold("a request is not printed", "\(request)" == "ForwardedRequest")
    }
    if let answer = survived(bytes, ForwardedAnswer.init, \.bytes) {
        reached("an answer to a phone")
        hold("a status is one of HTTP", (200...599).contains(answer.status))
    }
}

/// A message of bytes that was read is written, read and written equally.
private func survived<Message>(
    _ bytes: [UInt8], _ read: ([UInt8]) throws(JSONError) -> Message, _ write: (Message) -> [UInt8]?
) -> Message? {
    guard let message = try? read(bytes), let written = write(message) else { return nil }
    let again = hold("a written message is read") { try read(written) }
    hold("a message is written in one way", write(again) == written)
    return message
}

/// Like `survive`, for messages that cannot be compared: a message that was read is written, read and written equally.
private func rewritten<Message>(
    _ json: JSON, _ read: (JSON) throws(JSONError) -> Message, _ write: (Message) -> JSON
) -> Message? {
    guard let message = try? read(json) else { return nil }
    let bytes = write(message).serialized
    let again = hold("a written message is read") { try read(JSON(parsing: bytes)) }
    hold("a message is written in one way", write(again).serialized == bytes)
    return message
}
