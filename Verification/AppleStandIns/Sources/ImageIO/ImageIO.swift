// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

@_exported import Foundation
public import UIKit

public typealias CFURL = NSURL
public typealias CFString = NSString
public typealias CFDictionary = NSDictionary
public typealias OSStatus = Int32

public typealias CGImageSourceAnimationBlock = (Int, CGImage, UnsafeMutablePointer<Bool>) -> Void

nonisolated(unsafe) public let kCGImageAnimationLoopCount: CFString = "LoopCount"
nonisolated(unsafe) public let kCGImageAnimationDelayTime: CFString = "DelayTime"
nonisolated(unsafe) public let kCGImageAnimationStartIndex: CFString = "StartIndex"

/// Plays nothing by itself: a test steps through the pictures with ``StandInAnimation``. Refuses a file that is not
/// there or does not begin as a GIF or a PNG.
public func CGAnimateImageAtURLWithBlock(
    _ url: CFURL, _ options: CFDictionary?, _ block: @escaping CGImageSourceAnimationBlock
) -> OSStatus {
    guard let path = url.path, let data = FileManager.default.contents(atPath: path) else { return -22140 }
    let start = Array(data.prefix(4))
    guard start == Array("GIF8".utf8) || start == [0x89, 0x50, 0x4e, 0x47] else { return -22142 }
    let repeats = (options?[kCGImageAnimationLoopCount] as? NSNumber)?.doubleValue
    StandInAnimation.running.append(StandInAnimation(path: path, loopCount: repeats, block: block))
    return 0
}

/// Test hook: a moving picture that plays.
public final class StandInAnimation {
    nonisolated(unsafe) public static var running: [StandInAnimation] = []

    public let path: String
    /// How often it is played; `nil` as the file says.
    public let loopCount: Double?
    private let block: CGImageSourceAnimationBlock
    private var index = 0

    init(path: String, loopCount: Double?, block: @escaping CGImageSourceAnimationBlock) {
        self.path = path
        self.loopCount = loopCount
        self.block = block
    }

    /// Shows the next picture. Answers whether it plays on.
    @discardableResult
    public func step() -> Bool {
        var stop = false
        block(index, CGImage(standIn: "\(path)#\(index)", width: 10, height: 10), &stop)
        index += 1
        if stop { Self.running.removeAll { $0 === self } }
        return !stop
    }
}
