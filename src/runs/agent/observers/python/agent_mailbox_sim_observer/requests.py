"""The requests of this process, and how they are seen in the libraries that make them."""

import itertools
import os
import sys
from _contextvars import ContextVar
from _thread import get_ident
from _weakref import ref
from zlib import crc32

from .clock import clock, real_monotonic
from .line import attempt, changing, instead, line
from .links import carrying, is_own, links
from .waits import Wait, asks, waits

#: Characters of a path that are told.
LONGEST_PATH = 1_000
#: Milliseconds of story time that a request to somebody else takes, by `--think-time`.
THINK_TIME = float(os.environ.get("MAILBOX_SIM_THINK_TIME") or 0)
#: After how many failures in a row the next wait is real.
MOST_FAILURES = 3
#: Those that are open, by their number; and how often what is asked has failed in a row.
requests, numbers, failures = {}, itertools.count(1), {}
#: The innermost time-out of a loop of asyncio.
guard = ContextVar("guard", default=None)


class Request:
    """A request whose response is not complete."""

    def __init__(self, method, host, port, path):
        self.number, self.is_own, self.method = next(numbers), is_own(host, port), method
        #: What the play is told of it.
        self.asked = {"id": self.number, "method": method, "host": f"{host}:{port}", "path": path[:LONGEST_PATH]}
        self.began = real_monotonic()
        self.what = f"{method} {host}:{port}{path.partition('?')[0]}"
        #: Whether the last one there failed: then its time-outs end by story time.
        self.is_retry = self.what in failures
        #: The time-out of a loop in whose context it was made.
        self.guard = guard.get()
        #: The digest of its body, which is empty without one; None if that is not known.
        self.body = None
        self.status, self.is_stream, self.answered_at = None, False, 0.0
        #: The connection that brings its response, and, if a thread has to read from it, whether one does; the wait that it is.
        self.link, self.is_blocking, self.thought = None, False, None
        #: Returns whether it is over, if nobody tells.
        self.is_over = bool
        asks()
        waits.refusal = None
        clock.begin()
        requests[self.number] = self
        if THINK_TIME > 0 and waits.is_on and not self.is_own:
            self.thought = Wait(THINK_TIME / 1000)
            self.thought.begin()

    def __enter__(self):
        """Meanwhile a library is at it: what that connects carries nothing else, and its failure ends the request."""
        self.token = carrying.set(self)
        return self

    def __exit__(self, failure, *_):
        try:
            carrying.reset(self.token)
        except ValueError:
            pass  # A coroutine that was dropped ends in another context.
        if failure:
            self.end()

    def has_sent(self, data):
        """Takes note of a piece of its body."""
        self.body = f"{crc32(data, int(self.body or '0', 16)):08x}"

    def answered(self, status, kind, file=-1):
        """Takes note of the head of its response: the status, the type of its content, and the file of its connection."""
        line.activity += 1
        self.status, self.link, self.answered_at = status, links.get(file), real_monotonic()
        self.is_stream = self.method == "GET" and str(kind).startswith("text/event-stream")
        if self.is_own:
            return
        if status == 429 or status >= 500:
            self.fails(f"{status} of")
            # The process may end before it reads more.
            self.end()
        else:
            failures.pop(self.what, None)

    def fails(self, how):
        """Takes note that somebody else refused it, or did not answer: the agent may try again later."""
        failures[self.what] = failures.get(self.what, 0) + 1
        if failures[self.what] <= MOST_FAILURES:
            waits.refusal = f"{how} {self.what}", get_ident()

    def think(self):
        """Waits until story time has passed as long as an answer takes."""
        if self.thought:
            self.thought.sleep()
            self.thought.__exit__()
            # What follows may be read from elsewhere.
            asks()

    async def think_in_loop(self):
        if self.thought and "asyncio" in sys.modules:
            await sys.modules["asyncio"].get_running_loop().run_in_executor(None, self.think)

    def is_open(self):
        """Returns whether somebody waits for its response."""
        if self.thought and self.thought.may_end():
            return False
        return self.status is None or not self.is_blocking or not self.link or self.link.readers > 0

    def told(self, **more):
        """Returns it as the play is told of it, with more."""
        return {**self.asked, "body": self.body, **more}

    def quiet(self):
        """Returns the real milliseconds since something came; None before the head of its response."""
        if self.status is None:
            return None
        return int((real_monotonic() - max(self.answered_at, self.link.heard if self.link else 0)) * 1000)

    def end(self):
        if requests.pop(self.number, None) is None:
            return
        line.activity += 1
        if self.thought:
            self.thought.cancel()
        if not self.is_own:
            if self.status is None:
                self.fails("no response to")
            took = int((real_monotonic() - self.began) * 1000)
            line.tell({"end": self.told(status=self.status, took=took)})


def open_requests():
    for request in list(requests.values()):
        if request.is_over():
            request.end()
    return [request for request in list(requests.values()) if request.is_open()]


def is_of_open_request(timer):
    """Returns whether a time-out of a loop is for a request to somebody else that is awaited."""
    found = [one for one in list(requests.values()) if one.guard is timer or one is timer.request]
    return any(not one.is_own and not one.is_retry and one.is_open() for one in found)


@changing("http.client", of_time=False)
def change_http_client(module):
    kind = module.HTTPConnection

    def leave(connection):
        request = connection.__dict__.pop("_open_request", None)
        if request:
            request.end()

    @instead(kind, "putrequest")
    def put(real, self, method, url, *args, **options):
        leave(self)
        host, port = (self._tunnel_host, self._tunnel_port) if self._tunnel_host else (self.host, self.port)
        self._open_request = attempt(Request, method, host, port, url)
        return real(self, method, url, *args, **options)

    @instead(kind, "send")
    def send(real, self, data):
        request = self.__dict__.get("_open_request")
        if not request:
            return real(self, data)
        with request:
            real(self, data)
        link = links.get(self.sock.fileno())
        if link:
            link.is_carried = True
        if request.body is None:
            request.body = ""  # This was the head.
        else:
            attempt(request.has_sent, data)

    @instead(kind, "getresponse")
    def get(real, self):
        file = self.sock.fileno() if self.sock else -1
        request = self.__dict__.pop("_open_request", None)
        if not request:
            return real(self)
        # It closes itself if the connection ends with the response.
        with request:
            response = real(self)
        request.think()
        known = ref(response)
        request.is_over = lambda: known() is None or known().isclosed()
        request.is_blocking = True
        request.answered(response.status, response.getheader("content-type"), file)
        return response

    @instead(kind, "close")
    def close(real, self):
        leave(self)
        return real(self)


def begin_httpcore(given):
    """Returns the request that `httpcore`, or `httpcore2` of newer SDKs of models, is given."""
    url, stream = given.url, given.stream
    port = url.port or (443 if url.scheme == b"https" else 80)
    request = Request(given.method.decode(), url.host.decode(), port, url.target.decode())
    if type(stream).__name__ == "ByteStream":
        request.body = ""
        for piece in stream:
            request.has_sent(piece)
    return request


def answer_httpcore(request, response):
    kind = next((value for name, value in response.headers if name.lower() == b"content-type"), b"")
    socket = response.extensions["network_stream"].get_extra_info("socket")
    request.answered(response.status, kind.decode("latin-1"), socket.fileno() if socket else -1)
    stream = response.stream

    def close(real):
        request.end()
        return real()

    for name in ("close", "aclose"):
        if hasattr(stream, name):
            instead(stream, name)(close)


@changing("httpcore._sync.connection_pool", of_time=False)
@changing("httpcore2._sync.connection_pool", of_time=False)
def change_httpcore(module):
    @instead(module.ConnectionPool, "handle_request")
    def handle(real, self, given):
        request = attempt(begin_httpcore, given)
        if not request:
            return real(self, given)
        with request:
            response = real(self, given)
        request.think()
        attempt(answer_httpcore, request, response)
        return response


def watch(owner, name, begin, answer):
    """Sees the requests of a coroutine: `begin` makes one of its arguments, `answer` is told the request and its response."""

    @instead(owner, name)
    async def ask(real, self, *args, **options):
        request = attempt(begin, self, *args, **options)
        if not request:
            return await real(self, *args, **options)
        with request:
            response = await real(self, *args, **options)
            await request.think_in_loop()
        attempt(answer, request, response)
        return response


@changing("httpcore._async.connection_pool", of_time=False)
@changing("httpcore2._async.connection_pool", of_time=False)
def change_async_httpcore(module):
    watch(module.AsyncConnectionPool, "handle_async_request", lambda _, given: begin_httpcore(given), answer_httpcore)


@changing("aiohttp.client", of_time=False)
def change_aiohttp(module):
    def begin(self, method, url, **options):
        url = self._build_url(url)
        request = Request(method.upper(), url.host, url.port, url.path_qs)
        request.body = ""
        for name in ("params", "data", "json"):
            if options.get(name) is not None:
                request.has_sent(repr(options[name]).encode())
        return request

    def answer(request, response):
        known, connection = ref(response), response.connection
        request.is_over = lambda: known() is None or known().closed or known().content.at_eof()
        file = connection.transport.get_extra_info("socket").fileno() if connection else -1
        request.answered(response.status, response.headers.get("content-type"), file)
        if response.status == 101:
            request.end()

    watch(module.ClientSession, "_request", begin, answer)


def begin_grpc(target, details):
    host, _, port = target.rpartition("/")[2].rpartition(":")
    method = details.method.decode() if isinstance(details.method, bytes) else details.method
    return Request("POST", host or port, int(port) if host and port.isdigit() else 443, method)


def end_grpc(request, call):
    """Ends a request with its call; all statuses of gRPC but the first say that it failed."""
    code = getattr(call, "_code", None) or (call.code() if not hasattr(call, "__await__") else None)
    request.status = 200 if getattr(code, "value", [0])[0] == 0 else None
    request.end()


@changing("grpc", of_time=False)
@changing("grpc.aio", of_time=False)
def change_grpc(module):
    """Has each channel use an interceptor for each kind of call; in `grpc.aio`, calls are awaited."""
    is_aio = module.__name__ == "grpc.aio"

    def intercept(self, continuation, details, argument):
        request = attempt(begin_grpc, self.target, details)

        def watched(call):
            if request:
                call.add_done_callback(lambda one: attempt(end_grpc, request, one))
            return call

        async def awaited(call):
            return watched(await call)

        call = continuation(details, argument)
        return awaited(call) if is_aio else watched(call)

    def interceptor(target, name):
        kind = getattr(module, f"{name.title().replace('_', '')}ClientInterceptor")
        return type(kind.__name__, (kind,), {f"intercept_{name}": intercept, "target": target})()

    def make(real, target, *args, **options):
        names = ("unary_unary", "unary_stream", "stream_unary", "stream_stream")
        own = [interceptor(target, name) for name in names]
        if not is_aio:
            return module.intercept_channel(real(target, *args, **options), *own)
        options["interceptors"] = [*(options.get("interceptors") or []), *own]
        return real(target, *args, **options)

    instead(module, "insecure_channel")(make)
    instead(module, "secure_channel")(make)
