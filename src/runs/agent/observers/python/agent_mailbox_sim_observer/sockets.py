"""What stands in for the methods of sockets, plain and secured."""

from _thread import get_ident
from _weakref import ref

from .clock import AT_ONCE, Wait, ready
from .connections import Connection, Request, connect_to, connection_of, follow
from .seen import Rest, attempt, named, rest_in, resting, seen


def change_socket(module):
    kind = module.socket
    connect, connect_ex, listen, getsockopt = kind.connect, kind.connect_ex, kind.listen, kind.getsockopt
    send, sendall, close, detach = kind.send, kind.sendall, kind._real_close, kind.detach

    def begin(self, address):
        return attempt(connect_to, self, address) if self.type & 15 == module.SOCK_STREAM else None

    def stand_in_connect(self, address, /):
        connection = begin(self, address)
        try:
            with Rest():
                result = connect(self, address)
        except (BlockingIOError, InterruptedError):
            raise
        except BaseException as error:
            if connection:
                connection.came_about(error)
            raise
        if connection:
            connection.came_about(None)
        return result

    def stand_in_connect_ex(self, address, /):
        connection = begin(self, address)
        with Rest():
            error = connect_ex(self, address)
        if connection and not isinstance(OSError(error, ""), (BlockingIOError, InterruptedError)):
            connection.came_about(error)
        return error

    def stand_in_getsockopt(self, *args):
        value = getsockopt(self, *args)
        connection = connection_of(self)
        if connection and args[:2] == (module.SOL_SOCKET, module.SO_ERROR):
            connection.came_about(value)
        return value

    def stand_in_sendall(self, data, *flags):
        connection = connection_of(self)
        if connection:
            follow(connection, connection.sent, data)
        with Rest():
            return sendall(self, data, *flags)

    def stand_in_sendmsg(self, buffers, *args):
        buffers = list(buffers)
        with Rest():
            count = sendmsg(self, buffers, *args)
        connection = connection_of(self)
        if connection:
            follow(connection, connection.sent, b"".join(buffers)[:count])
        return count

    def receiving(real, data_in):
        def receive(self, *args, **options):
            connection = connection_of(self)
            seconds = connection and connection.own and seen.skips and self.gettimeout()
            if seconds and seconds > AT_ONCE and not ready([self.fileno()], 0):
                with Wait(seconds, pipe=True) as wait:
                    wait.until_readable(self.fileno())
                    if wait.fired and not ready([self.fileno()], 0):
                        raise module.timeout("timed out")
            with Rest():
                result = real(self, *args, **options)
            if connection and module.MSG_PEEK not in args[1:]:
                follow(connection, connection.received, data_in(result, args))
            return result

        return named(receive, real)

    def stand_in_close(self, *args):
        connection = seen.connections.pop(id(self), None)
        if connection:
            attempt(connection.close)
        return close(self, *args)

    def stand_in_detach(self):
        connection = seen.connections.pop(id(self), None)
        if connection:
            # Whoever goes on with the file, such as TLS, goes on with what is known of it.
            seen.detached = self.fileno(), connection
        return detach(self)

    def stand_in_listen(self, *args):
        result = listen(self, *args)
        key = id(self)
        seen.listening[key] = ref(self, lambda _: seen.listening.pop(key, None))
        return result

    if hasattr(kind, "sendmsg"):
        sendmsg = kind.sendmsg
        kind.sendmsg = named(stand_in_sendmsg, sendmsg)
    kind.connect, kind.connect_ex = named(stand_in_connect, connect), named(stand_in_connect_ex, connect_ex)
    kind.getsockopt, kind.listen = named(stand_in_getsockopt, getsockopt), named(stand_in_listen, listen)
    kind.send, kind.sendall = sending(send), named(stand_in_sendall, sendall)
    kind.recv = receiving(kind.recv, lambda data, _: data)
    kind.recv_into = receiving(kind.recv_into, lambda count, args: memoryview(args[0]).cast("B")[:count])
    kind._real_close, kind.detach = named(stand_in_close, close), named(stand_in_detach, detach)
    rest_in(kind, "_accept", "recvfrom", "recvfrom_into", "recvmsg", "sendto")
    module.getaddrinfo = resting(module.getaddrinfo, "looks up a name")


def sending(real):
    def send(self, data, *flags):
        with Rest():
            count = real(self, data, *flags)
        connection = connection_of(self)
        if connection:
            follow(connection, connection.sent, memoryview(data).cast("B")[:count])
        return count

    return named(send, real)


def change_ssl(module):
    """Follows what is inside TLS; an SSLObject works in memory, and another socket carries what comes of that."""

    def inside_of(self):
        """Returns the connection inside of a client's TLS; None for a server's."""
        connection = connection_of(self)
        if connection is None and not self.server_side:
            in_memory = isinstance(self, module.SSLObject)
            file, outside = seen.detached or (None, None)
            if not in_memory and file == self.fileno():
                connection, seen.detached = outside, None
                connection.move(self)
            else:
                connection = Connection(self, f"{self.server_hostname}:443", False)
            if in_memory:
                seen.in_memory[get_ident()] = connection
        if connection and not connection.secured:
            connection.secured = True
            connection.reset()
            connection.open["connect"] = Request(f"connection to {connection.to}")
        return connection

    def shaking_hands(real):
        def do_handshake(self, *args):
            connection = attempt(inside_of, self)
            try:
                with Rest():
                    result = real(self, *args)
            except (module.SSLWantReadError, module.SSLWantWriteError):
                raise
            except BaseException as error:
                if connection:
                    connection.came_about(error)
                raise
            if connection:
                connection.came_about(None)
            return result

        return named(do_handshake, real)

    def assumption(real):
        def read(self, len=1024, buffer=None):
            with Rest():
                result = real(self, len, buffer)
            connection = connection_of(self)
            if connection:
                data = result if buffer is None else memoryview(buffer).cast("B")[:result]
                follow(connection, connection.received, data)
            return result

        return named(read, real)

    for kind in (module.SSLSocket, module.SSLObject):
        kind.do_handshake, kind.read = shaking_hands(kind.do_handshake), assumption(kind.read)
        kind.write = sending(kind.write)
    module.SSLSocket.send = sending(module.SSLSocket.send)
