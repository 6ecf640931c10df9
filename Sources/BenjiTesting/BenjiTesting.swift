// For tests, ours and an app's: a scripted carrier that answers by the number it is asked for, a clock that a test moves, a
// person who taps. No socket is opened. It knows no vendor and no camera. Begin with `Network/ScriptedCarrier.swift`.
