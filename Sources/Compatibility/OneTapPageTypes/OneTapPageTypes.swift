// The view model that OneLogin and GeYan share, member by member as in their documents. Each member is written into a
// page's description. It shows nothing. Begin with `ViewModel/OneTapViewModel.swift`.
