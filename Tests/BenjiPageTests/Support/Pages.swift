import BenjiPage
import PageProperties

extension PageDescription {
    /// The page of an app that names its terms and leaves everything else at its default.
    static let usual = PageSamples.usual

    /// A page on which nothing is left at its default.
    static var changed: PageDescription { PageSamples.changed }
}
