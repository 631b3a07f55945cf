"""Who may ask: the names that the server answers to, and the web pages that may use it.

A browser sends requests to this machine for any page, and a page can give its own name this
machine's address: the page's name is then in the request's Host and Origin, and neither is ours.
"""

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

Headers = Iterable[tuple[bytes, bytes]]


@dataclass(frozen=True)
class Callers:
    """`allowed` are names of this server beside its own, and the origins of pages.

    A name ("serve.example.org") is answered to, whatever the port; an origin ("https://example.org")
    may ask from its pages. An address, localhost and a name without a dot, as a container has it,
    are always this server's: no page elsewhere has one. Requests without an Origin are no page's.
    """

    allowed: frozenset[str] = frozenset()

    def fault(self, headers: Headers) -> str:
        """Why a request is not taken, "" where it is."""
        told = {name.lower(): value.decode("latin-1") for name, value in headers}
        host = told.get(b"host", "")
        if host and not self._own(host):
            return f"this server is not called '{host[:100]}'; --allow gives it another name"
        origin = told.get(b"origin")
        if origin is None or origin in self.allowed or urlsplit(origin).netloc == (host or None):
            return ""
        return f"pages of '{origin[:100]}' may not use this server; --allow lets them"

    def _own(self, host: str) -> bool:
        name = _name(host)
        if name in self.allowed or "." not in name.removesuffix("."):
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name.endswith(".localhost")
        return True


def _name(host: str) -> str:
    """A host without its port, lower case; an IPv6 address without brackets."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower()
