// The link between a gateway and an authority that are apart: its messages, and the gateway's side. The authority's
// side is `LinkEndpoints` in Endpoints. Begin with `ForwardedPath.swift`, then `RemoteAuthority.swift`.
