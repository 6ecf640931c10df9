"""How a page is looked at: by axe-core, in light and dark, at each size. Nothing sticks out, no text is cut off, no
line is too long to be read, and pictures are kept where they are wanted."""

from . import axe

SIZES = {"small": (320, 640), "phone": (393, 852), "desktop": (1280, 900), "4k": (3840, 2160)}
#: In heights of its letters. A longer line, about 150 Latin letters or 75 Chinese ones, cannot be followed.
LONGEST = 75
#: By the page's language: what axe-core looks at. Two languages together have each size in light and in dark.
AXE = {"zh": (("light", "phone"), ("dark", "desktop")), "en": (("dark", "phone"), ("light", "desktop"))}

# Pages come in by a short animation, during which colours are not yet what they will be. The countdown of a minute is
# not waited for.
SETTLE = """return Promise.all(document.getAnimations().filter((each) => each.effect.getComputedTiming().endTime < 2000)
    .map((each) => each.finished.catch(() => {}))).then(() => true)"""
WIDE = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
# Elements wider or higher than their own box that neither scroll nor are hidden on purpose.
CUT = """return [...document.querySelectorAll('body *')].filter((each) => {
    const style = getComputedStyle(each);
    if (!each.checkVisibility({visibilityProperty: true}) || each.clientWidth < 2
        || each.matches('input, select, textarea, iframe, svg *')) return false;
    const cuts = (way, whole, room) => (style[way] === 'hidden' || style[way] === 'clip') && whole > room + 1;
    return each.textContent.trim() && (cuts('overflowX', each.scrollWidth, each.clientWidth)
        || cuts('overflowY', each.scrollHeight, each.clientHeight));
}).map((each) => each.outerHTML.slice(0, 160))"""
# Of each text that is set in lines, the width of its longest line in its own letters' height.
LONG = """const longest = arguments[0], found = [];
for (const each of document.querySelectorAll('p, li, dd, figcaption, label, legend, .note')) {
    if (!each.checkVisibility() || each.closest('pre, table, svg')) continue;
    const size = parseFloat(getComputedStyle(each).fontSize) * (each.currentCSSZoom ?? 1),
        range = document.createRange();
    for (const text of each.childNodes) {
        if (text.nodeType !== Node.TEXT_NODE || text.data.trim().length < longest) continue;
        range.selectNodeContents(text);
        const width = Math.max(0, ...[...range.getClientRects()].map((line) => line.width)) / size;
        if (width > longest) found.push(`${Math.round(width)} em: ${text.data.trim().slice(0, 80)}`);
    }
}
return found"""

#: With --long axe-core looks in each language at each size in light and dark, and lines are read at each size too.
thorough = False
_seen = set()


def views(language, small="phone"):
    """The pairs of appearance and size in which axe-core looks at a page in a language; `small` is the size of a
    phone."""
    if thorough:
        return [(appearance, size) for appearance in ("light", "dark") for size in SIZES]
    return [(appearance, small if size == "phone" else size) for appearance, size in AXE[language]]


def settle(browser):
    browser.run(SETTLE)


def fits(checks, browser, name, reads=True):
    """Checks the page at the window's size. Lines are equally readable in light and dark; `reads` is set for one."""
    wide = browser.run(WIDE)
    checks.that(wide <= 0, f"{name}: nothing sticks out", f"{wide} px")
    if not reads:
        return
    cut = browser.run(CUT)
    checks.equal(cut, [], f"{name}: no text is cut off")
    long = browser.run(LONG, LONGEST)
    checks.equal(long, [], f"{name}: no line is too long to be read")


def seen(checks, browser, name, place="html", back=(430, 900)):
    """Looks at a page of those that everybody sees: on a phone and on a desk, in light and dark. A page is looked at
    once by its name, also where several installations show the same one. The window has the size `back` afterwards."""
    language = browser.run("return document.documentElement.lang").split("-")[0]
    if (name, language) in _seen:
        return
    _seen.add((name, language))
    for appearance, size in views(language):
        browser.appearance(appearance)
        browser.resize(*SIZES[size])
        settle(browser)
        checks.equal(axe.faults(browser, place), [],
                     f"{name}, {language}, {size}, {appearance}: axe-core finds nothing grave")
        fits(checks, browser, f"{name}, {language}, {size}", reads=appearance == "light")
    browser.appearance("light")
    browser.resize(*back)
