// Finds the subscription that holds the address of a request. It receives the packet core's accounting, keeps the
// holder of each address, and writes a journal before it answers. It uses no apps, tokens or HTTP, and keeps no number.
// Begin with `Directory/Directory.swift`, then `Service/GatewayService+Sighting.swift`.
