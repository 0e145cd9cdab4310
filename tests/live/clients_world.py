"""clients_world.py -- registries for real installers: static files over TLS, with a
certificate authority of the test's own, in the outside of egress_world.py.

Must:     serve only what is in its table, and record who asked for what
Must not: reach a network
"""
import http.server
import os
import socket
import ssl
import subprocess
import threading

import egress_world as world

HOSTS = ("npm", "pypi", "files", "git", "site", "deb", "crates", "goproxy",
         "evil")
ADDRESS = {host: "44.0.1.%d" % i for i, host in enumerate(HOSTS, 1)}
INNER = "192.0.2.7"  # an address of a special range, as in a private network


def name_of(host):
    return host + ".example"


def names():
    """The names and addresses that the name server of the outside serves."""
    return {name_of(host): [[at]] for host, at in ADDRESS.items()}


def openssl(*words):
    subprocess.run(("openssl",) + words, check=True, capture_output=True,
                   timeout=60)


class Authority:
    """A certificate authority that lives as long as the test, and signs
    certificates: clients are told to trust .ca."""

    def __init__(self, directory):
        def at(name):
            return os.path.join(directory, name)

        self.ca, self.key, self.pair = at("ca.pem"), at("ca.key"), at("pair")
        key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
               "-nodes")
        openssl("req", "-x509", *key, "-keyout", self.key, "-out", self.ca,
                "-days", "2", "-subj", "/CN=test authority", "-addext",
                "basicConstraints=critical,CA:TRUE", "-addext",
                "keyUsage=critical,keyCertSign")
        openssl("req", *key, "-keyout", at("key"), "-out", at("csr"), "-subj",
                "/CN=test server")
        with open(at("ext"), "w") as f:
            f.write("subjectAltName=" + ",".join(
                "DNS:" + name_of(h) for h in HOSTS) +
                "\nextendedKeyUsage=serverAuth\n")
        openssl("x509", "-req", "-in", at("csr"), "-CA", self.ca, "-CAkey",
                self.key, "-CAcreateserial", "-days", "2", "-extfile",
                at("ext"), "-out", at("crt"))
        with open(self.pair, "wb") as out:
            for part in ("crt", "key"):
                with open(at(part), "rb") as f:
                    out.write(f.read())
        with open(self.ca, "rb") as f:
            self.text = f.read()


class Handler(http.server.BaseHTTPRequestHandler):
    """A file of the table, or 404."""
    protocol_version, disable_nagle_algorithm = "HTTP/1.1", True

    def log_message(self, *_):
        pass

    def answer(self, with_body=True):
        host = self.headers.get("Host", "").split(":")[0]
        path = self.path.split("?")[0].replace("/./", "/")
        length = int(self.headers.get("Content-Length") or 0)
        if length:
            self.rfile.read(min(length, 1 << 20))
        site = self.server.site
        site.asked.append((host, self.command, self.path))
        kind, body = "application/octet-stream", site.files.get((host, path))
        self.send_response(404 if body is None else 200)
        if body is not None and (path.endswith("/") or b"<a href" in body[:99]):
            kind = "text/html"
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        if with_body:
            self.wfile.write(body or b"")

    def do_GET(self):
        self.answer()

    def do_HEAD(self):
        self.answer(with_body=False)

    def do_POST(self):
        self.answer()


class Listener(http.server.ThreadingHTTPServer):
    """Listen on any address of the outside. A failed handshake is the
    client's fault."""
    daemon_threads, request_queue_size = True, 128

    def __init__(self, address, port, site, context):
        self.site, self.context = site, context
        super().__init__((address, port), Handler, bind_and_activate=False)
        self.socket.setsockopt(socket.IPPROTO_IP, 15, 1)  # IP_FREEBIND
        self.server_bind()
        self.server_activate()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def server_bind(self):
        """Does not look up its own name, as HTTPServer would."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_name, self.server_port = self.server_address[:2]

    def finish_request(self, request, client_address):
        request.settimeout(30)
        if self.context:
            request = self.context.wrap_socket(request, server_side=True)
        super().finish_request(request, client_address)

    def handle_error(self, request, client_address):
        pass


class Site:
    """The site of all hosts: files[(NAME, PATH)] is a body; asked lists what
    was asked for."""

    def __init__(self, authority):
        self.files, self.asked = {}, []
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(authority.pair)
        for address in list(ADDRESS.values()) + [INNER]:
            Listener(address, 443, self, context)
            Listener(address, 80, self, None)

    def put(self, host, path, body):
        self.files[name_of(host), path] = (
            body if isinstance(body, bytes) else body.encode())

    def put_tree(self, host, path, directory):
        for top, _, found in os.walk(directory):
            for f in found:
                with open(os.path.join(top, f), "rb") as body:
                    self.put(host, path + os.path.relpath(
                        os.path.join(top, f), directory), body.read())

    def asked_of(self, host):
        return [a for a in self.asked if a[0] == name_of(host)]


def make(directory):
    """(the authority, the site, the name server) of the outside."""
    authority = Authority(directory)
    server = world.make(directory, names())
    return authority, Site(authority), server
