import BenjiPage
import PageProperties

extension PageDescription {
    /// What an app has when it names its terms and leaves everything else as it is.
    static let usual = PageSamples.usual

    /// A page on which nothing is left at its default.
    static var changed: PageDescription { PageSamples.changed }
}
