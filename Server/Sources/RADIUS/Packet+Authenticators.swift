import Crypto

extension Packet {
    private static let authenticatorRange = 4..<20

    /// Whether the Request Authenticator of an Accounting-Request was made with `secret` (RFC 2866 §3). It is the MD5
    /// of the packet with sixteen zero bytes as authenticator, then the secret. Compared in constant time.
    package func hasValidRequestAuthenticator(secret: SharedSecret) -> Bool {
        Self.hasValidRequestAuthenticator(bytes.span, secret: secret)
    }

    /// ``hasValidRequestAuthenticator(secret:)`` of a packet as it lies in memory, without padding.
    package static func hasValidRequestAuthenticator(_ packet: Span<UInt8>, secret: SharedSecret) -> Bool {
        // With zeros in the authenticator's place and the secret behind, in one piece: MD5 is called once.
        withUnsafeTemporaryAllocation(byteCount: packet.count + secret.bytes.count, alignment: 8) { copy in
            packet.withUnsafeBytes { copy.copyMemory(from: $0) }
            for place in authenticatorRange { copy[place] = 0 }
            secret.bytes.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: copy[packet.count...]).copyMemory(from: $0)
            }
            var md5 = Insecure.MD5()
            md5.update(bufferPointer: UnsafeRawBufferPointer(copy))
            return md5.finalize().withUnsafeBytes { digest in
                var difference: UInt8 = 0
                for place in authenticatorRange { difference |= digest[place - 4] ^ packet[place] }
                return difference == 0
            }
        }
    }

    /// Appends the Accounting-Response to a request as it lies in memory, without padding. The response has the
    /// request's Proxy-States in order (RFC 2865 §5.33), a Message-Authenticator for a Status-Server, and the Response
    /// Authenticator. A ``PacketLayout`` has read the request and knows that there is room.
    ///
    /// The answer to an Accounting-Request carries no Message-Authenticator, even if the request did. No RFC states
    /// over which authenticator it would be made. FreeRADIUS checks it over zeros and drops an answer made over the
    /// request's. The Response Authenticator already covers every byte.
    package static func appendAccountingResponse(
        to request: Span<UInt8>, secret: SharedSecret, onto answers: inout [UInt8]
    ) {
        let start = answers.count
        answers.append(PacketCode.accountingResponse.rawValue)
        answers.append(request[1])
        answers.append(0)
        answers.append(0)
        for place in authenticatorRange { answers.append(request[place]) }
        let isSigned = request[0] == PacketCode.statusServer.rawValue
        if isSigned {
            answers += [AttributeType.messageAuthenticator.rawValue, 18]
            answers += zeroAuthenticator
        }
        var offset = headerLength
        while offset < request.count {
            let end = offset + Int(request[offset + 1])
            if request[offset] == AttributeType.proxyState.rawValue {
                for place in offset..<end { answers.append(request[place]) }
            }
            offset = end
        }
        let length = answers.count - start
        answers[start + 2] = UInt8(length >> 8)
        answers[start + 3] = UInt8(length & 0xff)
        if isSigned {
            var answer = Array(answers[start...])
            sign(&answer, authenticator: Array(answer[authenticatorRange]), secret: secret)
            answers.replaceSubrange(start..., with: answer)
        }
        answers.append(contentsOf: secret.bytes)
        var md5 = Insecure.MD5()
        answers.withUnsafeBytes { md5.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[start...])) }
        answers.removeLast(secret.bytes.count)
        md5.finalize().withUnsafeBytes { digest in
            for place in 0..<16 { answers[start + 4 + place] = digest[place] }
        }
    }

    /// Whether this is the answer to `request` from a sender that knows `secret` (RFC 2866 §3). The digest is the MD5
    /// of the packet with the request's authenticator in place of its own, then the secret. Compared in constant time.
    package func hasValidResponseAuthenticator(to request: Packet, secret: SharedSecret) -> Bool {
        identifier == request.identifier
            && Self.equalInConstantTime(
                Self.digest(bytes, authenticator: request.authenticator, secret: secret), authenticator)
    }

    /// Whether the Message-Authenticator (RFC 2869 §5.14) was made with `secret`: HMAC-MD5 over the packet with zeros
    /// in its place.
    ///
    /// `authenticator` is the header's authenticator when the attribute was made. A Status-Server uses its own, an
    /// answer the request's, and an Accounting-Request zeros. RFC 5080 §2.2.1 gives the order: this one first, then the
    /// Request Authenticator. Returns `nil` if the packet carries no Message-Authenticator.
    /// - Throws: ``PacketError`` if it occurs twice or has not sixteen bytes.
    func hasValidMessageAuthenticator(authenticator: [UInt8], secret: SharedSecret) throws(PacketError) -> Bool? {
        guard let attribute = try single(.messageAuthenticator) else { return nil }
        guard attribute.value.count == 16 else { throw attribute.error(.valueLength) }
        let expected = Self.messageAuthenticator(
            of: bytes, at: attribute.offset, authenticator: authenticator, secret: secret)
        return Self.equalInConstantTime(expected, Array(attribute.value))
    }

    /// ``hasValidMessageAuthenticator(authenticator:secret:)`` for a request, by its code.
    package func hasValidMessageAuthenticator(secret: SharedSecret) throws(PacketError) -> Bool? {
        try hasValidMessageAuthenticator(
            authenticator: code == .statusServer ? authenticator : Self.zeroAuthenticator, secret: secret)
    }

    /// ``hasValidMessageAuthenticator(authenticator:secret:)`` for an answer to `request`.
    package func hasValidMessageAuthenticator(answering request: Packet, secret: SharedSecret) throws(PacketError)
        -> Bool?
    {
        try hasValidMessageAuthenticator(authenticator: request.authenticator, secret: secret)
    }

    /// Builds an Accounting-Request and signs it.
    package static func accountingRequest(
        identifier: UInt8, attributes: [Attribute], secret: SharedSecret, withMessageAuthenticator: Bool = false
    ) throws(PacketError) -> [UInt8] {
        var bytes = try layOut(
            code: .accountingRequest, identifier: identifier, authenticator: zeroAuthenticator,
            attributes: withMessageAuthenticator ? attributes + [.emptyMessageAuthenticator] : attributes)
        if withMessageAuthenticator { sign(&bytes, authenticator: zeroAuthenticator, secret: secret) }
        bytes.replaceSubrange(authenticatorRange, with: digest(bytes, authenticator: zeroAuthenticator, secret: secret))
        return bytes
    }

    /// Builds a Status-Server (RFC 5997 §3). `authenticator` is sixteen unpredictable bytes.
    package static func statusServer(
        identifier: UInt8, authenticator: [UInt8], secret: SharedSecret
    ) throws(PacketError) -> [UInt8] {
        guard authenticator.count == 16 else { throw PacketError(.valueLength, offset: 4) }
        var bytes = try layOut(
            code: .statusServer, identifier: identifier, authenticator: authenticator,
            attributes: [.emptyMessageAuthenticator])
        sign(&bytes, authenticator: authenticator, secret: secret)
        return bytes
    }

    /// Builds the Accounting-Response to this request (``appendAccountingResponse(to:secret:onto:)``).
    /// - Throws: ``PacketError/Problem/tooLong`` if there is no room for a Message-Authenticator beside the
    ///   Proxy-States.
    package func accountingResponse(secret: SharedSecret) throws(PacketError) -> [UInt8] {
        var answer: [UInt8] = []
        Self.appendAccountingResponse(to: bytes.span, secret: secret, onto: &answer)
        guard answer.count <= Self.maximumBuiltLength else {
            throw PacketError(.tooLong, offset: Self.maximumBuiltLength)
        }
        return answer
    }

    static let zeroAuthenticator = [UInt8](repeating: 0, count: 16)

    private static func digest(_ bytes: [UInt8], authenticator: [UInt8], secret: SharedSecret) -> [UInt8] {
        var md5 = Insecure.MD5()
        bytes.withUnsafeBytes { bytes in
            md5.update(bufferPointer: UnsafeRawBufferPointer(rebasing: bytes[..<4]))
            authenticator.withUnsafeBytes { md5.update(bufferPointer: $0) }
            md5.update(bufferPointer: UnsafeRawBufferPointer(rebasing: bytes[20...]))
        }
        secret.bytes.withUnsafeBytes { md5.update(bufferPointer: $0) }
        return md5.finalize().withUnsafeBytes { Array($0) }
    }

    private static func messageAuthenticator(
        of bytes: [UInt8], at offset: Int, authenticator: [UInt8], secret: SharedSecret
    ) -> [UInt8] {
        var copy = bytes
        copy.replaceSubrange(authenticatorRange, with: authenticator)
        copy.replaceSubrange((offset + 2)..<(offset + 18), with: zeroAuthenticator)
        let key = SymmetricKey(data: secret.bytes)
        return Array(HMAC<Insecure.MD5>.authenticationCode(for: copy, using: key))
    }

    /// Fills the empty Message-Authenticator of a packet that was just laid out.
    private static func sign(_ bytes: inout [UInt8], authenticator: [UInt8], secret: SharedSecret) {
        var offset = headerLength
        while offset + 18 <= bytes.count {
            if bytes[offset] == AttributeType.messageAuthenticator.rawValue {
                let code = messageAuthenticator(of: bytes, at: offset, authenticator: authenticator, secret: secret)
                bytes.replaceSubrange((offset + 2)..<(offset + 18), with: code)
                return
            }
            offset += Int(bytes[offset + 1])
        }
    }

    /// Takes as long for a wrong first byte as for a wrong last one.
    static func equalInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
    }
}

extension Attribute {
    fileprivate static let emptyMessageAuthenticator = Attribute(
        type: .messageAuthenticator, value: ArraySlice(Packet.zeroAuthenticator), offset: 0)
}
