// What a phone and a server say to each other in a face login: messages, tokens and paths. It knows no camera and no picture's
// content. Begin with `FacePath.swift`, which lists the requests.
