extension PageDescription {
    /// This page as a login by SMS looks: on the whole screen, in its colours and pictures, with words and places of
    /// its own.
    ///
    /// Views of the app are left out, since they were put where other controls stand here. The bar is always there, so
    /// that the page can be left, and the tick begins unset.
    var bySMS: PageDescription {
        var page = self
        page.popup = nil
        page.consentDialog = nil
        page.custom = []
        if page.navigationBar.isHidden { page.navigationBar.color = AdaptiveColor(.clear) }
        page.navigationBar.isHidden = false
        page.navigationBar.right = nil
        page.navigationBar.back.isHidden = false
        var title = navigationBar.title ?? NavigationTitle()
        title.style.text = SMSPageStrings.title
        page.navigationBar.title = title
        page.loginButton.title.text = SMSPageStrings.logIn
        page.loginButton.placement = Self.size(of: loginButton.placement)
        page.switchButton.placement = Self.size(of: switchButton.placement)
        page.logo.placement = PagePlacement()
        page.terms.placement = PagePlacement()
        page.terms.tick.isInitiallySet = false
        return page
    }

    private static func size(of placement: PagePlacement) -> PagePlacement {
        PagePlacement(width: placement.width, height: placement.height)
    }
}
