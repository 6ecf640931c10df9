// The public HTTP interfaces, a folder for each dialect, and the link between a gateway and an authority that are
// apart. An endpoint reads a request, asks, and writes the answer in the dialect's words; it decides nothing about a
// login. Begin with `HTTP/EndpointRoute.swift`, then `Device/DeviceEndpoints.swift`.
