"""People in the console: how they sign in, and how each page is looked at."""

from . import axe, looks
from .authenticator import code
from .looks import SIZES

PASSWORD = "correct horse battery"


class Person:
    """Somebody in a browser of their own, who keeps what their authenticator app has."""

    def __init__(self, console, browser):
        self.console, self.browser, self.key = console, browser, None

    def accept(self, invitation):
        self.browser.open(self.console.page + "/invitation")
        self.browser.type("[name=invitation]", invitation)
        self.browser.click("main button")
        self.browser.shows("#key")
        self.key = self.browser.text("#key")
        self.browser.type("[name=code]", code(self.key))
        self.browser.type("[name=password]", PASSWORD)
        self.browser.click("main button")
        return self.browser.shows("header .who")

    def leave(self):
        self.browser.click("header .who button")
        return self.browser.shows("[name=password]")


def looked_at(checks, browser, pictures, name):
    """axe-core finds nothing grave on a small screen, nothing is wider than the page, and pictures are taken. With
    --long axe-core looks at every size, nothing is cut off and no line is too long to be read, up to 4K."""
    # Commands name the test's own files, which no picture needs.
    browser.run("for (const each of document.querySelectorAll('pre code')) each.textContent = "
                "each.textContent.replaceAll(/ -c \\S+/g, ' -c /etc/benji/benji.yaml')")
    for appearance in ("light", "dark"):
        browser.appearance(appearance)
        for width, size in SIZES.items():
            if width == "4k" and not (looks.thorough or pictures):
                continue
            browser.resize(*size)
            if width == "small" or looks.thorough:
                checks.equal(axe.faults(browser), [], f"{name}: axe-core finds nothing grave ({width}, {appearance})")
            # Whether lines can be read is the same in each colour.
            looks.fits(checks, browser, f"{name} ({width})", reads=looks.thorough and appearance == "light")
            if pictures:
                browser.run("scrollTo(0, 0)")
                browser.picture(pictures / f"{name}-{width}-{appearance}.png")
        # Just wide enough for a table to be one. Colours change no width.
        if appearance == "light":
            browser.resize(621, 900)
            looks.fits(checks, browser, f"{name} (621 px)", reads=False)
    browser.appearance("light")
    browser.resize(*SIZES["desktop"])
