"""Scripts in the fields of the console. Every form is found by walking through its pages, and every field is compared
with the templates, so that none is forgotten."""

import fnmatch
import html
import re
import urllib.parse
from html.parser import HTMLParser

from .server import ROOT

CONSOLE = ROOT / "Server/Sources/Console"
#: Runs wherever it comes into a page as it is, also out of an attribute.
SCRIPT = "\"'><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
#: For fields that take little.
SHORT = "<script>document.title='owned'</script>"
#: As people would be asked for an address.
ADDRESSES = ("https://shop.example/" + SCRIPT, "javascript:document.title='owned'")
#: What people do not type into.
NOT_TYPED = ("hidden", "checkbox", "radio", "file", "submit", "button", "reset")
#: Fields that ask for an address, by name; others take none better than any text.
ADDRESS = re.compile(r"url|uri|agreement|privacy|address", re.I)
ADDRESS_ATTRIBUTES = ("href", "src", "action", "formaction", "data", "srcdoc")
# : Forms that are there only where the console asks an OpenID provider. Their fields are a password and a code, which
# no page shows again.
ONE_TAP = {"/console/second", "/console/phone"}
#: Forms that end what others need; they come last.
ENDS = re.compile(r"remove|revoke|retire|/end$|sign-out|withdraw|refuse|suspend|rotate|renew|reassign|port$|split-keys")


class Control:
    def __init__(self, tag, attributes):
        self.name = attributes.get("name")
        self.kind = attributes.get("type") or ("text" if tag == "input" else tag)
        self.value = attributes.get("value") or ""
        self.is_number = attributes.get("inputmode") in ("numeric", "decimal")
        self.most = int(attributes.get("maxlength") or 0)
        self.is_ticked, self.is_chosen = "checked" in attributes, False

    @property
    def is_typed(self):
        return self.kind not in NOT_TYPED and self.kind != "select"

    @property
    def scripts(self):
        """The texts that are put into it. Browsers let people type no more than `most`; programs may send more."""
        if not self.is_typed:
            return [SCRIPT]
        return list(dict.fromkeys([SCRIPT, SCRIPT[:self.most or None], *(() if self.is_number else (SHORT,)),
                                   *(ADDRESSES if ADDRESS.search(self.name) else ())]))


class Form:
    def __init__(self, attributes, page):
        self.page, self.method = page, (attributes.get("method") or "get").upper()
        self.action, self.targets, self.controls = attributes.get("action") or page, [], []


class Page(HTMLParser):
    """The parts of a page that a browser would act on here: forms, links, and scripts."""

    def __init__(self, address, text):
        super().__init__()
        self.address, self.forms, self.links, self.runs = address, [], [], []
        self._form = self._area = self._choice = None
        self.feed(text)

    def handle_starttag(self, tag, pairs):
        attributes = dict(pairs)
        for name, value in pairs:
            if name.startswith("on") or (name in ADDRESS_ATTRIBUTES
                                         and (value or "").strip().lower().startswith(("javascript:", "data:", "<"))):
                self.runs.append(self.get_starttag_text())
        if tag in ("img", "object", "embed",
                   "base") or (tag == "script" and attributes.get("src") != "/console/console.js"):
            self.runs.append(self.get_starttag_text())
        if tag in ("a", "iframe"):
            self.links.append(attributes.get("href") or attributes.get("src") or "")
        elif tag == "form":
            self._form = Form(attributes, self.address.split("?")[0])
            self.forms.append(self._form)
        elif self._form is None:
            return
        elif tag in ("input", "select", "textarea"):
            control = Control(tag, attributes)
            if control.name:
                self._form.controls.append(control)
            self._area, self._choice = (control,
                                        None) if tag == "textarea" else (None, control if tag == "select" else None)
        elif tag == "option" and self._choice:
            if not self._choice.is_chosen:
                self._choice.is_chosen = "selected" in attributes
                if self._choice.is_chosen or not self._choice.value:
                    self._choice.value = attributes.get("value", "")
        elif tag == "button" and "disabled" not in attributes:
            self._form.targets.append(attributes.get("formaction") or self._form.action)

    def handle_endtag(self, tag):
        if tag == "form":
            self._form = None
        elif tag == "textarea":
            self._area = None

    def handle_data(self, data):
        if self._area:
            self._area.value += data


def pattern(address):
    """A path without the parts that belong to one app, person or login."""
    segments = address.split("?")[0].split("/")
    own = [re.fullmatch(r"\d+|[0-9a-f]{32}|\{\{\w+\}\}", each) or (before == "people")
           for before, each in zip(["", *segments], segments)]
    return "/".join("*" if each else segment for each, segment in zip(own, segments))


def wanted():
    """(where it is sent, name) of each field that templates and settings have; `*` stands for what differs."""
    found = set()
    for template in (CONSOLE / "Resources").glob("*.mustache"):
        for form in re.findall(r"<form\b.*?</form>", template.read_text(encoding="utf-8"), re.S):
            targets = re.findall(r'\b(?:form)?action="([^"]+)"', form)
            for tag, inner in re.findall(r"<(input|textarea)\b([^>]*)>", form):
                attributes = dict(re.findall(r'([\w-]+)="([^"]*)"', inner))
                if "name" in attributes and attributes.get("type", "text") not in NOT_TYPED:
                    name = re.sub(r"\{\{\w+\}\}", "*", attributes["name"])
                    found |= {(pattern(target), name) for target in targets}
    for source, target in (("AppField.swift", "settings"), ("Console+WebLogin.swift", "login")):
        text = (CONSOLE / source).read_text(encoding="utf-8")
        for name in re.findall(r'(?:field|clientField)\(\s*\.(\w+),(?:\s*"\w+",)?\s*\.(?:text|lines|number|sealed)',
                               text):
            found.add((f"/console/apps/*/{target}", name))
    return found


def missed(sent):
    """The fields of templates and settings that no script was put into."""
    return sorted(each for each in wanted()
                  if not any(each[0] == target and fnmatch.fnmatch(name, each[1]) for target, name in sent))


class Walk:
    """Somebody with a program instead of a browser, who opens every page and fills in every form."""

    def __init__(self, visitor, allowed, values=None):
        """`allowed` says of an address whether it is opened; `values` are good values for fields by name."""
        self.visitor, self.allowed, self.values = visitor, allowed, values or {}
        self.texts, self.forms, self.answers = {}, {}, {}

    def take(self, address, text, is_fresh=True):
        """Keeps the forms of a page, in the place of earlier ones; returns its links. A page that is shown again
        because it was refused is not fresh: it holds wrong values."""
        if not text.lstrip().lower().startswith("<!doctype html>"):
            return []
        page = Page(address, text)
        for form in page.forms:
            if not self.allowed(form.action):
                continue
            same = self.forms.setdefault((pattern(form.action), *sorted({each.name for each in form.controls})), {})
            known = same.get(form.action, form)
            form.targets += [each for each in known.targets if each not in form.targets]
            same[form.action] = form if is_fresh else known
        return [each for each in page.links if self.allowed(each)]

    def through(self, *begin, most=3):
        """Opens every page that links lead to from here on, so many of each kind at the most."""
        waiting, opened, kinds = list(begin), set(), {}
        while waiting:
            address = waiting.pop(0).split("#")[0]
            kind = pattern(address) + "?" + ",".join(sorted(re.findall(r"[?&](\w+)=", address)))
            if address in opened or kinds.get(kind, 0) >= most:
                continue
            opened.add(address)
            kinds[kind] = kinds.get(kind, 0) + 1
            status, to, text = self.visitor.get(address)
            if status == 200:
                self.texts[address] = text
                waiting += self.take(address, text)
            elif to and self.allowed(to):
                waiting.append(to)
        return self

    def filled(self, form, **other):
        """The values that a form sends: its own, good ones for empty fields, and those given here."""
        values = {}
        for each in form.controls:
            if each.name in other:
                values[each.name] = [other[each.name]]
            elif each.kind in ("checkbox", "radio"):
                if each.is_ticked or each.name in self.values:
                    values.setdefault(each.name, []).append(each.value)
            else:
                values.setdefault(each.name,
                                  []).append(each.value or (self.values.get(each.name, "") if each.is_typed else ""))
        values.pop("form", None)
        return values

    def send(self, form, target, values, what):
        """Sends a form; whether it was taken."""
        if form.method == "GET":
            status, to, text = self.visitor.get(target + "?" + urllib.parse.urlencode(values, doseq=True))
        else:
            status, to, text = self.visitor.post(target, values)
        is_taken = status == 303 or (status == 200 and 'class="problem"' not in text)
        if text:
            self.answers[what] = text
            self.take(target, text, is_fresh=is_taken)
        if to and self.allowed(to):
            self.take(to, self.visitor.get(to)[2])
        return is_taken

    def begin(self):
        """Fills in each form well, so that pages have all that they can have."""
        done = set()
        while waiting := [key for key in self.forms if key not in done and not ENDS.search(key[0])]:
            for key in waiting:
                done.add(key)
                form = list(self.forms[key].values())[-1]
                self.send(form, form.action, self.filled(form), f"a good form to {key[0]}")
        return self

    def attack_at_once(self):
        """A script in all fields of each form at once, for forms that refuse whatever is wrong in the same words."""
        sent = {}
        for form in [each for forms in self.forms.values() for each in forms.values()]:
            names = [each.name for each in form.controls if each.is_typed]
            self.send(form, form.action, self.filled(form, **dict.fromkeys(names, SCRIPT)),
                      f"{form.action}: {', '.join(names)}")
            sent |= {(pattern(form.action), name): False for name in names}
        return sent

    def attack(self):
        """Puts a script in each field of each form, one at a time, also in those that people do not type into. Returns,
        for fields that people type into: (where it was sent, name) -> whether one was taken."""
        sent, done, before = {}, set(), -1
        while len(done) > before:
            before = len(done)
            for forms in list(self.forms.values()):
                kinds = {}
                for action, form in forms.items():
                    for target in form.targets or [action]:
                        kinds.setdefault(pattern(target), []).append((action, target))
                for number, kind in enumerate(sorted(kinds, key=lambda each: bool(ENDS.search(each)))):
                    # Each of several, as one's end may be that of the others.
                    action, target = kinds[kind][number % len(kinds[kind])]
                    for control in forms[action].controls:
                        if control.name == "form" or (kind,
                                                      control.name) in done or (before == 0 and ENDS.search(kind)):
                            continue
                        done.add((kind, control.name))
                        for script in control.scripts:
                            form = forms[action]
                            taken = self.send(form, target, self.filled(form, **{control.name: script}),
                                              f"{kind}: {control.name}: {script[:24]}")
                            if control.is_typed:
                                sent[kind, control.name] = taken
                            if taken:
                                break
        return sent


def judged(texts):
    """Of pages by name, what would run on each."""
    return {name: found for name, text in texts.items() if (found := Page(name, text).runs)}


def frames(texts):
    """One page that holds others, each in a frame of its own; a script in one names it "owned"."""
    return "<!doctype html><title>frames</title>" + "".join(f'<iframe srcdoc="{html.escape(text)}"></iframe>'
                                                            for text in texts)
