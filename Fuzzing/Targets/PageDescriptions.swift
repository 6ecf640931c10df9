// Page descriptions. A parsed page, when written, parses as the same page. An accepted page can be laid out on any
// screen, judged and written as a scene. The first four bytes choose screen, carrier and language.
//
// Covers: Sources/BenjiPage/JSON/PageJSON+Parsing.swift
// Covers: Sources/BenjiPage/JSON/PageJSONParser+Scalars.swift
// Covers: Sources/BenjiPage/JSON/PageJSON+Writing.swift
// Covers: Sources/BenjiPage/Coding/PageCoder.swift
// Covers: Sources/BenjiPage/Coding/PageGrammar.swift
// Covers: Sources/BenjiValues/TextGrammar.swift
// Covers: Sources/BenjiPage/Layout/PageLayout.swift
// Covers: Sources/BenjiPage/Layout/PageLayout+Controls.swift
// Covers: Sources/BenjiPage/Text/LineBreaker.swift
import BenjiPage

func target(_ input: [UInt8]) {
    var choices = Choices(input)
    let kind = choices.byte()
    let screen = screen(kind, width: choices.byte(), height: choices.byte())
    let carrier = PageCarrier.documented[Int(choices.byte()) % 3]
    let text = Array(choices.rest)
    let json: PageJSON
    do throws(PageError) { json = try PageJSON(parsing: text) } catch {
        reached("a refusal of the text")
        hold("an error names a path", error.place.hasPrefix("$"))
        return
    }
    hold(
        "a value survives writing and reading",
        hold("written JSON is read") { try PageJSON(parsing: json.bytes) } == json)
    let page: PageDescription
    do throws(PageError) { page = try PageDescription(json) } catch {
        reached("a refusal of the page")
        hold("an error names a path", error.place.hasPrefix("$"))
        return
    }
    reached("a page")
    let written = hold("what was read is written") { try page.json() }
    let again = hold("what was written is read") { try PageDescription(written) }
    hold("a page survives writing and reading", again == page)
    hold("writing is stable", hold("it is written again") { try again.json() } == written)
    draw(page, screen, carrier)
}

private func draw(_ page: PageDescription, _ screen: PageScreen, _ carrier: PageCarrier) {
    var state = PageState(of: page)
    state.isHintShown = true
    state.isDialogShown = page.consentDialog != nil
    state.isLoading = true
    let facts = PageFacts.sample(carrier)
    let scene = hold("an accepted page is laid out") {
        try PageScene(page, facts: facts, state: state, screen: screen, measuredBy: AdvanceTable())
    }
    for box in scene.boxes {
        for number in [box.frame.x, box.frame.y, box.frame.width, box.frame.height] {
            hold("a box stands somewhere", number.isFinite && number.magnitude < 1_000_000)
        }
        hold("a box has no negative side", box.frame.width >= 0 && box.frame.height >= 0)
    }
    let terms = scene[.terms]?.text
    let content = PageContent(page, duties: facts.duties, language: screen.language)
    hold("the terms drawn are those that the consent names", terms?.links == content.links)
    hold(
        "no character of the terms is lost",
        content.texts.contains { $0.text.utf8.elementsEqual((terms?.text ?? "").utf8) })
    hold("a scene survives writing", hold("it is read") { try PageJSON(parsing: scene.json.bytes) } == scene.json)
    let judge = PageJudge(.current)
    if !judge.findings(scene, facts: facts, missingTick: PageJudge.MissingTick(of: page)).isEmpty {
        reached("a finding")
    }
    if scene.isPopup { reached("a popup") }
}

private func screen(_ kind: UInt8, width: UInt8, height: UInt8) -> PageScreen {
    let size = PageSize(100 + Double(width) * 6, 100 + Double(height) * 6)
    let safeArea = kind & 1 == 0 ? PageInsets() : PageInsets(top: 59, left: 20, bottom: 34, right: 20)
    return PageScreen(
        size.width, size.height, safeArea: safeArea, language: Language.allCases[Int(kind >> 1) % 3],
        appearance: kind & 16 == 0 ? .light : .dark, textScale: kind & 32 == 0 ? 1 : 2.5)
}
