"""A headless Chromium that is told what to do through a pipe; needs only the standard library."""

import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
_SECONDS = 60  # that an answer may take


def find() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Failed(Exception):
    """The browser did not do what it was told, or did not answer."""


class Chromium:
    """One browser with one page. Commands are those of the DevTools protocol, NUL-terminated JSON on a pipe."""

    def __init__(self, program: str) -> None:
        self._profile = tempfile.TemporaryDirectory(prefix="site-check-", ignore_cleanup_errors=True)
        told, tell = os.pipe()
        hear, heard = os.pipe()
        # The browser reads commands from descriptor 3 and writes answers to 4.
        pipe = f'exec 3<&{told} 4>&{heard}; exec "$@"'
        arguments = [
            "--headless=new",
            "--remote-debugging-pipe",
            "--disable-gpu",
            f"--user-data-dir={self._profile.name}",
        ]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")  # Chromium has none for root
        self._process = subprocess.Popen(
            ["bash", "-c", pipe, "bash", program, *arguments, "about:blank"],
            pass_fds=(told, heard),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(told)
        os.close(heard)
        self._tell, self._hear, self._rest, self._number = tell, hear, b"", 0
        self.events: list[dict[str, Any]] = []
        self._session = ""
        target = self.do("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.do("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.do(f"{domain}.enable")

    def __enter__(self) -> "Chromium":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._tell)
        self._process.terminate()
        self._process.wait(30)
        os.close(self._hear)
        self._profile.cleanup()

    def do(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Sends a command and waits for its answer; what the browser says meanwhile is kept in `events`."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._tell, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise Failed(f"{method}: {answer['error']['message']}")
                return dict(answer["result"])
            self.events.append(answer)

    def open(self, path: Path, width: int, height: int) -> None:
        """Loads a file in a window of this size."""
        self.do("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.events.clear()
        self.do("Page.navigate", url=path.resolve().as_uri())
        self.until("Page.loadEventFired")

    def until(self, method: str) -> None:
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self._next())

    def value(self, expression: str) -> Any:
        """The value of a JavaScript expression; a promise is waited for."""
        answer = self.do("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise Failed(_words(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def errors(self) -> list[str]:
        """What the page complained of since it was opened."""
        found = []
        for event in self.events:
            said = event.get("params", {})
            if event.get("method") == "Runtime.exceptionThrown":
                found.append(_words(said["exceptionDetails"]))
            elif event.get("method") == "Runtime.consoleAPICalled" and said["type"] in ("error", "assert"):
                found.append(" ".join(str(a.get("value", a.get("description"))) for a in said["args"]))
            elif event.get("method") == "Log.entryAdded" and said["entry"]["level"] == "error":
                found.append(f"{said['entry']['text']} {said['entry'].get('url', '')}".strip())
        return found

    def addresses(self) -> set[str]:
        """What the page asked of others than its own files."""
        asked = (e["params"]["request"]["url"] for e in self.events if e.get("method") == "Network.requestWillBeSent")
        return {url for url in asked if not url.startswith(("file:", "data:", "blob:"))}

    def _next(self) -> dict[str, Any]:
        end = time.monotonic() + _SECONDS
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._hear], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                raise Failed(f"the browser did not answer for {_SECONDS} s")
            read = os.read(self._hear, 1 << 20)
            if not read:
                raise Failed("the browser ended")
            self._rest += read
        message, _, self._rest = self._rest.partition(b"\0")
        return dict(json.loads(message))


def _words(details: dict[str, Any]) -> str:
    return str(details.get("exception", {}).get("description") or details["text"])
