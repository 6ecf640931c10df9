// The carriers' policy: one table of what differs between carriers and between dialects, and the dialects that there
// are. The server reads an operator's file into it, and the scripted carrier of tests answers by it. Apps do not have
// it: a phone is told what it must show. Begin with `CarrierPolicy.swift`.
