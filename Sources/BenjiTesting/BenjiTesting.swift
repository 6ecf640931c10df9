// For tests, ours and an app's: a scripted carrier that answers by number, a movable clock, a person who taps. No
// socket is opened. It knows no vendor and no camera. Begin with `Network/ScriptedCarrier.swift`.
