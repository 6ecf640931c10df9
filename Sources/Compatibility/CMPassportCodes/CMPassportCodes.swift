// The codes of China Mobile's two SDKs for each situation. A table and nothing else; the facades, the server's
// interface and the catalogue read it.
