// The public HTTP interfaces, a folder for each dialect, and the authority's side of the link. An endpoint reads a
// request, asks, and writes the answer in the dialect's words; it decides nothing about a login. Begin with
// `Device/DeviceEndpoints.swift`.
