import BenjiClient
import BenjiProtocol
import CCurl

extension CurlTransfer {
    /// Sets every option that this exchange needs; whether libcurl took them all. `headers` must outlive the transfer.
    func configure(_ easy: UnsafeMutableRawPointer, _ headers: inout UnsafeMutablePointer<curl_slist>?) -> Bool {
        var accepted = true
        func set(_ option: CURLoption, _ value: Int) {
            accepted = accepted && benji_curl_set_long(easy, option, value) == CURLE_OK
        }
        func set(_ option: CURLoption, _ value: String?) {
            accepted = accepted && benji_curl_set_string(easy, option, value) == CURLE_OK
        }
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_URL, request.url.text)
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        set(CURLOPT_FOLLOWLOCATION, 0)
        // An empty proxy keeps libcurl from reading http_proxy and its kin from the environment.
        set(CURLOPT_PROXY, "")
        set(CURLOPT_NOPROXY, "*")
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        if let file = configuration.trustedAuthorities {
            set(CURLOPT_CAINFO, file)
            // Without this the system's directory of authorities would be trusted as well.
            set(CURLOPT_CAPATH, nil)
        }
        if !configuration.keepsConnections { set(CURLOPT_FRESH_CONNECT, 1) }
        if isLastOnConnection { set(CURLOPT_FORBID_REUSE, 1) }
        // The deadline is ours (`exchange`); libcurl's own would wait for the resolver's thread.
        set(CURLOPT_CONNECTTIMEOUT, 86_400)
        setEgress(set)
        accepted = accepted && setContent(easy) && setHeaders(easy, &headers) && setReceivers(easy)
        return accepted
    }

    private var isLastOnConnection: Bool { request.endsConnection || !configuration.keepsConnections }

    private func setEgress(_ set: (CURLoption, String?) -> Void) {
        switch configuration.egress {
        case .any: break
        case .interface(let name): set(CURLOPT_INTERFACE, "if!\(name)")
        case .sourceAddress(let address): set(CURLOPT_INTERFACE, "host!\(address)")
        }
    }

    private func setContent(_ easy: UnsafeMutableRawPointer) -> Bool {
        if request.method == "HEAD" { return benji_curl_set_long(easy, CURLOPT_NOBODY, 1) == CURLE_OK }
        var accepted = benji_curl_set_string(easy, CURLOPT_CUSTOMREQUEST, request.method) == CURLE_OK
        if !request.body.isEmpty || ["POST", "PUT", "PATCH"].contains(request.method) {
            accepted = accepted && benji_curl_set_long(easy, CURLOPT_POST, 1) == CURLE_OK
            let context = Unmanaged.passUnretained(self).toOpaque()
            // Read piece by piece, with no way back to the start. Otherwise libcurl repeats a request on a new
            // connection when a kept one ends without an answer. The server may have acted on it.
            accepted =
                accepted
                && benji_curl_set_content(easy, request.body.count, context) { buffer, size, count, context in
                    guard let buffer, let context else { return 0 }
                    let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
                    return transfer.readContent(into: .init(start: buffer, count: size * count))
                } == CURLE_OK
        }
        return accepted
    }

    private func setHeaders(
        _ easy: UnsafeMutableRawPointer, _ headers: inout UnsafeMutablePointer<curl_slist>?
    ) -> Bool {
        // `Name: value`, `Name;` for an empty value, `Name:` to leave out what libcurl would add by itself.
        var lines = request.headers.fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        lines += ["Accept", "Content-Type", "User-Agent"].filter { request.headers[$0] == nil }.map { "\($0):" }
        lines.append("Expect:")
        if isLastOnConnection { lines.append("Connection: close") }
        for line in lines {
            guard let longer = curl_slist_append(headers, line) else { return false }
            headers = longer
        }
        return benji_curl_set_list(easy, CURLOPT_HTTPHEADER, headers) == CURLE_OK
    }

    private func setReceivers(_ easy: UnsafeMutableRawPointer) -> Bool {
        // The transfer outlives the handle: `run` cleans the handle up before it returns.
        let context = Unmanaged.passUnretained(self).toOpaque()
        let receiver: @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
            bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
            let received = UnsafeRawBufferPointer(start: bytes, count: size * count)
            // Anything but the count makes libcurl stop.
            return transfer.receive(received.bindMemory(to: UInt8.self)) ? received.count : received.count &+ 1
        }
        // Content as it came, so that chunks and headers pass through the one parser that decides.
        var accepted =
            benji_curl_set_long(easy, CURLOPT_HTTP_TRANSFER_DECODING, 0) == CURLE_OK
            && benji_curl_set_receiver(easy, CURLOPT_HEADERFUNCTION, receiver) == CURLE_OK
            && benji_curl_set_pointer(easy, CURLOPT_HEADERDATA, context) == CURLE_OK
            && benji_curl_set_receiver(easy, CURLOPT_WRITEFUNCTION, receiver) == CURLE_OK
            && benji_curl_set_pointer(easy, CURLOPT_WRITEDATA, context) == CURLE_OK
        #if os(Linux)
        accepted =
            accepted && benji_curl_set_pointer(easy, CURLOPT_SOCKOPTDATA, context) == CURLE_OK
            && benji_curl_set_socket_setup(easy) { context, socket, _ in
                guard let context else { return Int32(CURL_SOCKOPT_ERROR) }
                let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
                return transfer.bindToDevice(socket) ? Int32(CURL_SOCKOPT_OK) : Int32(CURL_SOCKOPT_ERROR)
            } == CURLE_OK
        #endif
        return accepted
    }
}
