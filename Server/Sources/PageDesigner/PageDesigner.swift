// The page designer: a page in the browser on the page engine as WebAssembly, as routes that a listener mounts, and by
// itself for `benji page design`. Its files are in `Resources/` and reach the program by CPageDesigner.
import BenjiPage
import HTTPTypes
package import Hummingbird
import NIOCore
package import Requests
package import ServerHTTP

/// The page designer as routes below one address: a page in the browser that runs the page engine as WebAssembly.
///
/// It knows no app and no account. The caller that mounts it determines access, the description's source and the effect
/// of saving. That caller must keep other sites' pages away from ``routes``, as ``LoopbackCaller`` does.
package struct PageDesigner: Sendable {
    /// Takes a description that somebody hands over, and may refuse it with a ``Refusal``.
    package typealias Taker = @Sendable (_ text: String) async throws -> Void

    /// Why a description was not taken, for the person who sees it.
    package struct Refusal: Error {
        /// The kind of trouble.
        package enum Kind: Sendable {
            /// There is no description.
            case absent
            /// It is none that can be taken.
            case invalid
            /// It could not be written.
            case failed
        }

        package var kind: Kind
        package var detail: String

        package init(_ kind: Kind, _ detail: String) {
            self.kind = kind
            self.detail = detail
        }
    }

    private let prefix: String
    private let start: @Sendable () async throws -> String
    private let file: String?
    private let save: Taker?
    private let show: Taker?
    private let submit: Taker?

    /// - Parameters:
    ///   - prefix: of every address, with a slash at its end, such as `/design/`.
    ///   - start: the description to begin with.
    ///   - file: what saving writes to, as the person calls it; without it nothing can be saved.
    ///   - save: writes a description there.
    ///   - show: gives a description to the shop of the sandbox.
    ///   - submit: hands a description in for review.
    package init(
        at prefix: String, startingWith start: @escaping @Sendable () async throws -> String, file: String? = nil,
        save: Taker? = nil, show: Taker? = nil, submit: Taker? = nil
    ) {
        self.prefix = prefix
        self.start = start
        self.file = file
        self.save = save
        self.show = show
        self.submit = submit
    }

    /// Whether the page engine is in this program.
    package static var hasEngine: Bool { DesignerFile.all["benji-page.wasm"] != nil }

    package var routes: [EndpointRoute] {
        var routes = DesignerFile.all.values.map { file in
            EndpointRoute(.get, prefix + file.name) { _, _ in file.response }
        }
        let page = DesignerFile.all["designer.html"]
        routes.append(
            EndpointRoute(.get, prefix) { request, _ in
                // The router takes both for one address; the page's own addresses are below the one with the slash.
                guard request.uri.path.hasSuffix("/") else {
                    return Response(status: .seeOther, headers: [.location: request.uri.path + "/"])
                }
                return page?.response ?? Response(status: .notFound)
            })
        routes.append(EndpointRoute(.get, prefix + "setup.json") { _, _ in Self.json(setup.bytes) })
        routes.append(
            EndpointRoute(.get, prefix + "page.json") { _, _ in
                do { return Self.json(Array(try await start().utf8)) } catch let refusal as Refusal {
                    return Self.problem(refusal)
                }
            })
        if let save {
            routes.append(
                EndpointRoute(.put, prefix + "page.json") { request, _ in try await Self.take(request, save) })
        }
        if let show {
            routes.append(EndpointRoute(.post, prefix + "shop") { request, _ in try await Self.take(request, show) })
        }
        if let submit {
            routes.append(
                EndpointRoute(.post, prefix + "submit") { request, _ in try await Self.take(request, submit) })
        }
        return routes
    }

    /// The page's configuration: the file, the actions and the bundled examples and pictures.
    private var setup: PageJSON {
        func names(_ folder: String) -> PageJSON {
            let names = DesignerFile.all.keys.filter { $0.hasPrefix(folder) }.sorted()
            return .array(names.map { .string(String($0.dropFirst(folder.count).prefix { $0 != "." })) })
        }
        return .object([
            PageJSON.Member("file", file.map { .string($0) } ?? .null), PageJSON.Member("shop", .bool(show != nil)),
            PageJSON.Member("submit", .bool(submit != nil)),
            PageJSON.Member("examples", names("examples/")), PageJSON.Member("pictures", names("pictures/")),
        ])
    }

    private static func take(_ request: Request, _ taker: Taker) async throws -> Response {
        do {
            let body = try await request.body.collect(upTo: PageJSON.maximumSize)
            let text = String(decoding: body.readableBytesView, as: UTF8.self)
            do throws(PageError) { _ = try PageDescription(parsing: Array(text.utf8)) } catch {
                throw Refusal(.invalid, error.description)
            }
            try await taker(text)
            return Response(status: .noContent)
        } catch let refusal as Refusal { return problem(refusal) } catch is NIOTooManyBytesError {
            return problem(Refusal(.invalid, "at most \(PageJSON.maximumSize) bytes"))
        }
    }

    private static func json(_ bytes: [UInt8]) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    private static func problem(_ refusal: Refusal) -> Response {
        var response = json(
            PageJSON.object([
                PageJSON.Member("code", .string("page_refused")), PageJSON.Member("detail", .string(refusal.detail)),
            ]).bytes)
        response.status =
            switch refusal.kind {
            case .absent: .notFound
            case .invalid: .badRequest
            case .failed: .internalServerError
            }
        return response
    }
}
