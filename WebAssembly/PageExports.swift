// The exports of the .wasm. The host reserves room, writes a request there, and asks for the answer; see benji-page.js.

import BenjiPageDesign

nonisolated(unsafe) private var request: UnsafeMutableRawBufferPointer?
nonisolated(unsafe) private var answer: [UInt8] = []

/// Reserves room for a request of `count` bytes, and frees the previous room.
@_expose(wasm, "benji_page_reserve") @_cdecl("benji_page_reserve")
public func benjiPageReserve(_ count: Int32) -> UnsafeMutableRawPointer? {
    request?.deallocate()
    request = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, Int(count)), alignment: 16)
    return request?.baseAddress
}

/// Answers the request in the first `count` bytes of the room, and says how long the answer is.
@_expose(wasm, "benji_page_answer") @_cdecl("benji_page_answer")
public func benjiPageAnswer(_ count: Int32) -> Int32 {
    guard let request, count >= 0, Int(count) <= request.count else { return 0 }
    answer = PageDesign.answer(Array(request[..<Int(count)]))
    return Int32(answer.count)
}

/// Writes the answer into the room, which must have been reserved for it.
@_expose(wasm, "benji_page_copy") @_cdecl("benji_page_copy")
public func benjiPageCopy() {
    guard let request, answer.count <= request.count else { return }
    request.copyBytes(from: answer)
}
