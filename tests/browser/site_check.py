#!/usr/bin/env python3
"""Opens pages of a site from its files in a headless Chromium, wide and narrow: `site_check.py SITE…`.

Every document page, and the largest page of each other kind. Complains of errors on the console, of figures that do not
work (figures.js), of pages that are wider than their window or ask for anything but files, and of links of any page
that lead nowhere. Exit codes: 0 all is well, or there is no Chromium here; 1 something is wrong; 2 no site.
"""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path

from chromium import NAMES, Chromium, Failed, find

WIDTHS = (1200, 400)
TALL = 60_000  # so that all of a page is in the window: figures are drawn when they come near it

FIGURES = Path(__file__).with_name("figures.js")


class Page(HTMLParser):
    """The ids and links of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for key, value in attrs:
            if key == "id" and value:
                self.ids.add(value)
            elif key in ("href", "src") and value and not re.match(r"[a-z]+:", value):
                self.links.add(value)


def dead_links(site: Path) -> list[str]:
    pages = {path.resolve(): Page(path.read_text()) for path in site.rglob("*.html")}
    found = []
    for path, page in pages.items():
        for link in sorted(page.links):
            file, _, anchor = link.partition("#")
            target = (path.parent / file).resolve() if file else path
            if not target.is_file() or (anchor and target in pages and anchor not in pages[target].ids):
                found.append(f"{path.relative_to(site.resolve())}: {link} leads nowhere")
    return found


def pages_to_open(site: Path) -> list[Path]:
    """The pages at the top, and the largest of each folder."""
    folders = sorted({path.parent for path in site.glob("*/*.html")})
    largest = [max(folder.glob("*.html"), key=lambda path: path.stat().st_size) for folder in folders]
    return [*sorted(site.glob("*.html")), *largest]


def main(sites: list[Path]) -> int:
    for site in sites:
        if not (site / "index.html").is_file():
            print(f"site_check: {site}: expected a site with index.html; 'make site' writes one", file=sys.stderr)
            return 2
    program = find()
    if program is None:
        print(f"site_check: none of {', '.join(NAMES)} is here: no page was opened", file=sys.stderr)
    wrong = [f"{site}/{line}" for site in sites for line in dead_links(site)]
    figures = opened = 0
    try:
        if program is not None:
            with Chromium(program) as browser:
                for path in (path for site in sites for path in pages_to_open(site)):
                    for width in WIDTHS:
                        browser.open(path, width, TALL)
                        found = browser.value(FIGURES.read_text())
                        asked = [f"asks {url}, which is no file of the site" for url in sorted(browser.addresses())]
                        faults = [*found["wrong"], *browser.errors(), *asked]
                        wrong += [f"{path} at {width}: {line}" for line in faults]
                        figures, opened = figures + found["figures"], opened + 1
    except Failed as error:
        wrong.append(str(error))
    for line in wrong:
        print(line, file=sys.stderr)
    print(f"opened {opened} pages with {figures} interactive figures: {len(wrong)} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main([Path(argument) for argument in sys.argv[1:]]))
