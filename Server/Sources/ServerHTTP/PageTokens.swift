/// The colours that pages of ours share, light and dark, as CSS variables.
package enum PageTokens {
    package static let css = PackageResources.tokens_css
    /// The part of a page's script that copies texts.
    package static let copyScript = PackageResources.copy_js
}
