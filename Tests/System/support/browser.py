"""Chromium, driven by selenium, whose traffic leaves by the address of a phone."""

import contextlib
import json
import os
import socket
import subprocess
import threading

from selenium import webdriver
from selenium.common.exceptions import NoSuchWindowException, WebDriverException
from selenium.webdriver.common.keys import Keys

from .checks import PATIENCE, Stop, adopt, eventually, folder, require

# Of the example pages, in points.
SCREENS = {"small": (320, 568), "phone": (393, 852), "side": (852, 393), "tablet": (768, 1024)}


def chromium(private, *arguments):
    """Runs Chromium once without a driver, with its profile in the folder `private`; returns what it printed."""
    command = [require("chromium", "chromium"), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
               "--lang=zh-CN", "--allow-file-access-from-files", f"--user-data-dir={private}/profile", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def harness_result(private, page, seconds=90):
    """Opens a page of ours whose script writes JSON into `<pre id=out>`, and reads it; `None` if there is none in
    time."""
    path = private / "harness.html"
    path.write_text(page)
    with Browser(more=("--allow-file-access-from-files",)) as browser:
        browser.driver.set_script_timeout(seconds)
        browser.open(path.as_uri())
        said = eventually(lambda: browser.run("return document.getElementById('out').textContent"), seconds)
    return json.loads(said) if said else None


#: Marks a document once a click leads away from it. The next document has no mark.
WATCH_LEAVING = """
if (window.benjiLeaving === undefined) {
    window.benjiLeaving = false;
    const here = (target) => !target || target === '_self';
    window.addEventListener('submit', (event) => {
        const target = event.submitter?.getAttribute('formtarget') || event.target.getAttribute('target');
        if (!event.defaultPrevented && here(target)) window.benjiLeaving = true;
    });
    window.addEventListener('click', (event) => {
        const link = event.target.closest?.('a[href]');
        if (!link || event.defaultPrevented || !here(link.target) || link.hasAttribute('download')) return;
        if (link.href.split('#')[0] !== location.href.split('#')[0]) window.benjiLeaving = true;
    });
}"""


class PhoneProxy:
    """A phone's modem for a browser: a proxy on a local port that connects on from `address`. It has CONNECT only, so
    every opened page must use TLS."""

    def __init__(self, address):
        self.address = address
        self._open = set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with contextlib.suppress(OSError, ValueError), connection:
            head = b""
            while b"\r\n\r\n" not in head and len(head) < 65536:
                part = connection.recv(4096)
                if not part:
                    return
                head += part
            method, target, _ = head.split(b"\r\n")[0].decode("latin-1").split(" ")
            if method != "CONNECT":
                connection.sendall(b"HTTP/1.1 403 only TLS\r\nContent-Length: 0\r\n\r\n")
                return
            host, port = target.rsplit(":", 1)
            # Other hosts are never reached, whatever a page or the browser itself asks for.
            if host != "127.0.0.1":
                connection.sendall(b"HTTP/1.1 403 not here\r\nContent-Length: 0\r\n\r\n")
                return
            onward = socket.create_connection((host, int(port)), timeout=PATIENCE, source_address=(self.address, 0))
            with onward:
                connection.sendall(b"HTTP/1.1 200 connected\r\n\r\n")
                onward.settimeout(None)
                self._open |= {connection, onward}
                back = threading.Thread(target=self._pump, args=(onward, connection), daemon=True)
                back.start()
                self._pump(connection, onward)
                back.join(PATIENCE)

    @staticmethod
    def _pump(source, sink):
        with contextlib.suppress(OSError):
            while part := source.recv(65536):
                sink.sendall(part)
        with contextlib.suppress(OSError):
            sink.shutdown(socket.SHUT_WR)

    def move(self, address):
        """The phone gets another address, and loses its connections as phones do."""
        self.address = address
        for opened in list(self._open):
            with contextlib.suppress(OSError):
                opened.shutdown(socket.SHUT_RDWR)
        self._open.clear()

    def close(self):
        self._listener.close()


class Browser:
    """One window of Chromium with a fresh profile, driven by selenium and Debian's chromedriver.

    `proxy` is a PhoneProxy, the address of a proxy, or None for a browser that knows of none and reaches this machine
    only. `more` are arguments of Chromium's."""

    def __init__(self, proxy=None, language="zh-CN", size=(430, 900), more=()):
        options = webdriver.ChromeOptions()
        options.binary_location = require("chromium", "chromium")
        options.accept_insecure_certs = True
        options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
        options.add_experimental_option("prefs", {"intl.accept_languages": language})
        for argument in ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                         "--disable-background-networking", "--disable-component-update", "--no-first-run",
                         # Background work of a person's browser: a sixth of the processor time of a short walk.
                         "--disable-extensions", "--disable-sync", "--disable-default-apps",
                         "--disable-features=Translate,OptimizationHints,MediaRouter,"
                         "InterestFeedContentSuggestions,CalculateNativeWinOcclusion",
                         f"--user-data-dir={folder()}", f"--lang={language}", *more):
            options.add_argument(argument)
        if proxy is None:
            options.add_argument("--no-proxy-server")
        else:
            options.add_argument(
                f"--proxy-server={proxy if isinstance(proxy, str) else f'http://127.0.0.1:{proxy.port}'}")
            options.add_argument("--proxy-bypass-list=<-loopback>")
        service = webdriver.ChromeService(require("chromedriver", "chromium-driver"))
        # The driver is on this machine, whatever proxy leads to others.
        kept = {name: os.environ.pop(name) for name in ("http_proxy", "HTTP_PROXY") if name in os.environ}
        try:
            self.driver = self._begin(options, service)
        finally:
            os.environ.update(kept)
        adopt(service.process)
        self.resize(*size)

    @staticmethod
    def _begin(options, service):
        """A session. On a busy machine Chromium may need longer to begin than chromedriver waits, so it has a second
        try."""
        try:
            return webdriver.Chrome(options, service)
        except WebDriverException:
            again = webdriver.ChromeService(service.path)
            driver = webdriver.Chrome(options, again)
            service.process = again.process
            return driver

    def open(self, address):
        self.driver.get(address)

    @property
    def address(self):
        return self.driver.current_url

    @property
    def loaded(self):
        """The addresses of everything that the page made the browser fetch besides itself."""
        return self.run("return performance.getEntriesByType('resource').map(entry => entry.name)")

    def network_log(self):
        """DevTools' messages since the last call, oldest first."""
        return self.driver.get_log("performance")

    def run(self, script, *arguments):
        """Returns the result of a script that ends with `return`; a promise is waited for."""
        return self.driver.execute_script(script, *arguments)

    @property
    def windows(self):
        return self.driver.window_handles

    def close_window(self):
        self.driver.close()

    def look_at(self, window):
        self.driver.switch_to.window(window)

    def press(self, *keys):
        """Keys that go to whatever has the focus: a character, or a name such as `Tab`, `Enter` and `Space`."""
        names = {"Tab": Keys.TAB, "Enter": Keys.ENTER, "Space": " ", "Escape": Keys.ESCAPE, "ArrowUp": Keys.ARROW_UP,
                 "ArrowDown": Keys.ARROW_DOWN}
        webdriver.ActionChains(self.driver, duration=0).send_keys(*(names.get(key, key) for key in keys)).perform()

    @property
    def cookies(self):
        return self.driver.get_cookies()

    def enter_frame(self, number):
        """Looks into a frame of the page from here on; `None` leads back to the page itself."""
        if number is None:
            self.driver.switch_to.default_content()
        else:
            self.driver.switch_to.frame(number)

    def find(self, selector):
        """The elements that are shown now."""
        return [each for each in self.driver.find_elements("css selector", selector) if each.is_displayed()]

    def shows(self, selector, seconds=None):
        """Whether there is such an element, or soon is: a click returns before what it leads to is there."""
        def found():
            with contextlib.suppress(WebDriverException):  # an element of the page before
                return self.find(selector)
            return []

        return bool(eventually(found, seconds))

    def text(self, selector):
        def found():
            with contextlib.suppress(WebDriverException):  # an element of the page before
                return ["\n".join(each.text for each in self.find(selector))]

        return (eventually(found) or [""])[0]

    def says(self, words, selector="body"):
        """Whether the words are shown there, or soon are."""
        return bool(eventually(lambda: words in self.text(selector)))

    def click(self, selector):
        self.shows(selector)
        found = self.find(selector)
        if not found:
            raise Stop(f"the page {self.address} shows no {selector}: {self.text('body')[:300]}")
        self.run(WATCH_LEAVING)
        found[0].click()
        # The next read is of the page that the click leads to, however busy the machine is. A download keeps the page.
        eventually(self._stays)

    def _stays(self):
        """Whether nothing leads away from the document, and all of it is there; or the click closed the window."""
        try:
            return self.run("return !window.benjiLeaving && document.readyState === 'complete'")
        except NoSuchWindowException:
            return True
        except WebDriverException:  # between two documents, or an alert
            return False

    def type(self, selector, text):
        self.find(selector)[0].send_keys(text)

    def resize(self, width, height):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                      mobile=False)

    def appearance(self, name):
        self.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def speak(self, language):
        """From the next page on the browser says that people read this language."""
        self.devtools("Emulation.setUserAgentOverride", userAgent=self.run("return navigator.userAgent"),
                      acceptLanguage=language)

    def devtools(self, command, **parameters):
        return self.driver.execute_cdp_cmd(command, parameters)

    def picture(self, path):
        # Changes are drawn in the next frame.
        self.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
        path.write_bytes(self.driver.get_screenshot_as_png())

    def close(self):
        with contextlib.suppress(OSError, WebDriverException):
            self.driver.quit()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
