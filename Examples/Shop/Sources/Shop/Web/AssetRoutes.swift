import HTTPTypes
import Hummingbird
import NIOCore

/// The files that pages load, from this shop only.
enum AssetRoutes {
    private static let assets: [(name: String, type: String, bytes: [UInt8])] = [
        ("shop.css", "text/css; charset=utf-8", PackageResources.shop_css),
        ("shop.js", "text/javascript; charset=utf-8", PackageResources.shop_js),
        // A copy of Benji's helper, served by the shop itself: its pages load nothing from another host.
        ("benji.js", "text/javascript; charset=utf-8", PackageResources.benji_js),
        ("mark.svg", "image/svg+xml", PackageResources.mark_svg),
        ("longjing.svg", "image/svg+xml", PackageResources.longjing_svg),
        ("keemun.svg", "image/svg+xml", PackageResources.keemun_svg),
        ("tieguanyin.svg", "image/svg+xml", PackageResources.tieguanyin_svg),
        ("jasmine.svg", "image/svg+xml", PackageResources.jasmine_svg),
    ]

    static func add(to router: Router<BasicRequestContext>) {
        for asset in assets {
            let body = ByteBuffer(bytes: asset.bytes)
            router.get("/assets/\(asset.name)") { _, _ in
                Response(
                    status: .ok, headers: [.contentType: asset.type, .cacheControl: "public, max-age=300"],
                    body: ResponseBody(byteBuffer: body))
            }
        }
    }
}
