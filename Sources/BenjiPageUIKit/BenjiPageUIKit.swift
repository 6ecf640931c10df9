// Draws the authorization page as UIKit views, hands every tap to the page's flow, and reads and judges pages that apps
// draw themselves. It knows no network and no login. Empty where there is no UIKit. Begin with
// `Controller/AuthorizationPageViewController.swift`.
