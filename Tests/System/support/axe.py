"""axe-core, which looks for what keeps people with a screen reader, a keyboard or poor sight out of a page. It comes
with axe-selenium-python, of which nothing else is used."""

import importlib.resources

from .checks import PATIENCE

#: What axe-core calls a fault that keeps somebody out, or nearly.
GRAVE = ("serious", "critical")
#: By rule: parts of the HTML standard that are younger than this axe-core, made in 2018. `autocomplete="off"` may stand
#: at an address, too. axe-core has dropped the second rule since. A login page has its tick, and its box for
#: remembering, once for each form of window, and shows one.
YOUNGER = {"autocomplete-valid": ('autocomplete="one-time-code"', 'type="url" spellcheck="false" autocomplete="off"'),
           "checkboxgroup": ('data-role="tick"', 'name="remember"')}
# The HTML standard lets a `div` group names and values of a list, and this axe-core does not know it.
RUN = """const [place, done] = arguments;
const isGrouped = (node) => document.querySelector(node.target[0])?.matches('dl > div > dt, dl > div > dd');
axe.run(place).then((said) => done(said.violations.map((fault) => fault.id === 'dlitem'
    ? {...fault, nodes: fault.nodes.filter((node) => !isGrouped(node))} : fault)), (error) => done(String(error)));"""


def faults(browser, place="html"):
    """The grave faults of the page that the browser shows, or of a place on it, one a text."""
    if not browser.run("return 'axe' in window"):
        package = importlib.resources.files("axe_selenium_python")
        browser.run((package / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8") + "; window.axe = axe;")
    browser.driver.set_script_timeout(PATIENCE)
    found = browser.driver.execute_async_script(RUN, place)
    if isinstance(found, str):
        return [found]
    return [f"{fault['id']}: {fault['help']}: {node['html'][:160]}" for fault in found if fault["impact"] in GRAVE
            for node in fault["nodes"] if not any(word in node["html"] for word in YOUNGER.get(fault["id"], ()))]
