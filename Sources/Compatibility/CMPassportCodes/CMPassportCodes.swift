// What China Mobile's two SDKs answer for each situation. A table and nothing else; the facades, the server's interface and
// the catalogue read it.
