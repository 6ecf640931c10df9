// The messages, tokens and paths between a phone and a server in a face login. It knows no camera and no picture's
// content. Begin with `FaceBeginRequest.swift`; `FacePath` in BenjiProtocol lists the requests.
