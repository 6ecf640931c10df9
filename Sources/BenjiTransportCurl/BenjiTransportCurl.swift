// Sends the engine's requests from Linux devices: libcurl, bound to one network interface. It decides nothing. Begin
// with `CurlTransport.swift`.
