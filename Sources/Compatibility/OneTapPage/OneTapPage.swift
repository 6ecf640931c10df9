// The authorization page behind the facades of one-tap SDKs. A vendor's view model becomes a page, and the page's
// events become the calls that the vendor's document promises. It names no vendor. Begin with `VendorPresenter.swift`.
