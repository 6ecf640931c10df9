extension TransportRequest {
    /// The request as HTTP/1.1 (RFC 9112), asking the server to close the connection after its answer.
    ///
    /// - Throws: ``TransportError/Code/invalidRequest`` when ``validate()`` refuses it.
    package func http1Bytes() throws(TransportError) -> [UInt8] {
        try validate()
        var head = "\(method) \(url.target) HTTP/1.1\r\nHost: \(url.authority)\r\n"
        for field in headers.fields { head += "\(field.name): \(field.value)\r\n" }
        // RFC 9110 §8.6: a method that usually has content sends its length even if it is zero.
        if !body.isEmpty || ["POST", "PUT", "PATCH"].contains(method) { head += "Content-Length: \(body.count)\r\n" }
        head += "Connection: close\r\n\r\n"
        return Array(head.utf8) + body
    }
}
