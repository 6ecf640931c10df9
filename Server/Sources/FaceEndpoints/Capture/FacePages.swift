import BenjiFaceTexts
import BenjiPage
import BenjiProtocol
package import Endpoints
import HTTPTypes
import Hummingbird
import NIOCore
package import ServerHTTP

/// The pages of face login and what they are made of: one document for each, a style sheet and small modules. Nothing
/// comes from another host, nothing inline runs, and only this page may use the camera.
package struct FacePages: Sendable {
    /// A page's purpose: the script that runs it.
    enum Page: String, CaseIterable, Sendable { case trial, account }

    package init() {}

    static let folder = "/face/web/"

    /// Where people come to log in by face, see their attributes and unbind: a client of ``FaceEndpoints`` of the same
    /// listener.
    package static let accountPath = "/face/account"

    /// The page of accounts, with all that it needs.
    package var accountRoutes: [EndpointRoute] {
        routes + [
            EndpointRoute(.get, Self.accountPath) { request, context in
                context.outcome.note(code: Situation.success.rawValue)
                return Self.document(.account, request)
            }
        ]
    }

    /// The style sheet and the modules.
    package var routes: [EndpointRoute] {
        [
            Self.file("face.css", "text/css", PackageResources.face_css),
            Self.file("capture.js", "text/javascript", PackageResources.capture_js),
            Self.file("page.js", "text/javascript", PackageResources.page_js),
            Self.file("client.js", "text/javascript", PackageResources.client_js),
            Self.file("account.js", "text/javascript", PackageResources.account_js),
            Self.file("trial.js", "text/javascript", PackageResources.trial_js),
        ]
    }

    private static func file(_ name: String, _ type: String, _ bytes: [UInt8]) -> EndpointRoute {
        let body = ByteBuffer(bytes: bytes)
        return EndpointRoute(.get, folder + name) { _, context in
            context.outcome.note(code: Situation.success.rawValue)
            return Response(
                status: .ok,
                headers: [
                    .contentType: type + "; charset=utf-8", .cacheControl: "no-cache",
                    .xContentTypeOptions: "nosniff", .resourcePolicy: "same-origin",
                ], body: ResponseBody(byteBuffer: body))
        }
    }

    private static let templates = PageTemplates(["page": PackageResources.page_mustache])

    /// A page in the first of the browser's languages that there is.
    static func document(_ page: Page, _ request: Request) -> Response {
        let language = Language(preferred: OpenIDEndpoints.languages(request))
        let html = templates.render(
            "page",
            [
                "language": language.rawValue, "title": FaceSentence.loginTitle.text(in: language), "folder": folder,
                "words": FacePageStrings.json, "script": page.rawValue,
            ])
        var response = Response.page(html, policy: policy)
        response.headers[.permissionsPolicy] = permissions
        return response
    }

    /// The words are data, which no policy governs; scripts and styles are files of ours.
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob: data:; "
        + "media-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        + "require-trusted-types-for 'script'; trusted-types 'none'"
    static let permissions =
        "camera=(self), microphone=(), geolocation=(), display-capture=(), payment=(), usb=(), serial=(), bluetooth=()"
}

extension HTTPField.Name {
    // A token of RFC 9110 §5.6.2.
    static let permissionsPolicy = Self("Permissions-Policy")!
}
