// The messages, tokens and paths between a phone and a server in a face login. It knows no camera and no picture's
// content. Begin with `FacePath.swift`, which lists the requests.
