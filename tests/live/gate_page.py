"""gate_page.py -- the page of a gate, read as a browser would read it.

Must:     take a page apart without believing what it says about itself
Must not: know what a gate is
"""
import base64
import hashlib
import html.parser
import re


class Page(html.parser.HTMLParser):
    """The parts of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.text = [], [], ""
        self.marked, self._marks = "", 0
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, k, v) for k, v in attrs]
        self._marks += tag == "mark"

    def handle_endtag(self, tag):
        self._marks -= tag == "mark"

    def handle_data(self, data):
        self.text += data
        if self._marks:
            self.marked += data


TAGS = set("html head meta title style body header h1 h2 span dl dt dd main ol li "
           "p details summary b code br div table tr th td pre mark footer"
           .split())


def page_faults(text):
    """What keeps a page from standing alone, as a list."""
    page = Page(text)
    faults = ["tag " + t for t in set(page.tags) - TAGS]
    for tag, name, value in page.attributes:
        if name.startswith("on") or name in ("href", "src", "style", "action"):
            faults.append("%s %s=%s" % (tag, name, value))
    style = re.search("<style>(.*?)</style>", text, re.S).group(1)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = re.search('Content-Security-Policy" content="([^"]*)"', text)
    want = ("default-src 'none'; style-src 'sha256-%s'; base-uri 'none'; "
            "form-action 'none'" % digest)
    if policy is None or policy.group(1) != want:
        faults.append("policy")
    for ask in ("url(", "@import", "http:", "https:"):
        if ask in style:
            faults.append(ask)
    return faults
