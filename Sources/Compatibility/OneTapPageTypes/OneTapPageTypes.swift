// The view model that OneLogin and GeYan share, member by member as their documents list it, and how each member is written
// into a page's description. It shows nothing. Begin with `ViewModel/OneTapViewModel.swift`.
