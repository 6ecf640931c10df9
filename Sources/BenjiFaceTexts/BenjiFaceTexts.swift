// The sentences for people in front of a camera, in every language of the page. The app and the server's web page take
// their sentences from here, so that both say the same. Begin with `FaceSentence.swift`.
