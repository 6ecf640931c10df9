import BenjiProtocol

/// Reads a message, writes it and reads it again.
func survive<Message: Equatable>(
    _ json: JSON, _ read: (JSON) throws(JSONError) -> Message, _ write: (Message) -> JSON
) -> Message? {
    guard let message = try? read(json) else { return nil }
    let again = hold("a written message is read") { try read(JSON(parsing: write(message).serialized)) }
    hold("a message survives writing and reading", again == message)
    hold("a message is written in one way", write(again).serialized == write(message).serialized)
    return message
}
