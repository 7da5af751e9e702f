"""Debian's nginx and Apache on loopback, with files, oddities and certificates."""

import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile

import pytest

from conftest import wait_until
from feeding import ADDRESSES, free_port

TRIES = 5  # to find a port


@contextlib.contextmanager
def server(program, certificates=(), backend=0, addresses=ADDRESSES):
    """Runs nginx or Apache on loopback addresses; yields its folder of files and its port. A test for which it is not installed is
    skipped. nginx writes protocol, status and path of each request to `access.log` beside that folder.

    With certificates it speaks TLS alone, at each address with the next of them. `/back/` is passed on to the port `backend`.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        root = folder / "www"
        root.mkdir()
        for _ in range(TRIES):
            port = free_port()
            command = (nginx if program == "nginx" else apache)(folder, root, port, certificates, backend, addresses)
            if command is None:
                pytest.skip(f"{program} is not installed")
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=(folder / "server.log").open("wb"))
            wait_until(lambda: process.poll() is not None or answers(port, addresses[-1]), lambda: (folder / "server.log").read_text())
            # A server that has ended found its port taken meanwhile; another server answers.
            if process.poll() is None:
                break
        else:
            raise AssertionError(f"{program} does not start: {(folder / 'server.log').read_text()}")
        try:
            yield root, port
        finally:
            process.terminate()
            process.wait()


def answers(port, address):
    with contextlib.suppress(OSError), socket.create_connection((address, port)):
        return True
    return False


def assigned(certificates):
    """Returns each address with its certificate; the last one is that of the rest."""
    return [(address, certificates[min(number, len(certificates) - 1)]) for number, address in enumerate(ADDRESSES)]


def nginx(folder, root, port, certificates, backend, addresses):
    if not (program := shutil.which("nginx", path="/usr/sbin:" + os.environ["PATH"])):
        return None
    paths = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    locations = f"""
        location /tag/ {{ add_header Last-Modified ""; }}
        location /date/ {{ etag off; }}
        location = /moved {{ return 301 /there; }} location = /there {{ return 308 /tag/feed.xml; }}
        location = /gone {{ return 410; }}
        location = /busy {{ limit_req zone=one; limit_req_status 429; try_files /feed.xml =404; }}
        location = /bomb {{ gzip off; add_header Content-Encoding gzip; }}
        location /back/ {{ proxy_pass http://127.0.0.1:{backend or port}; proxy_http_version 1.1; proxy_buffering off; }}"""
    if certificates:
        servers = "".join(
            f"""server {{ listen {address}:{port} ssl http2; ssl_certificate {certificate.chain}; ssl_certificate_key {certificate.key};
                {certificate.nginx} root {root}; {locations} }}""" for address, certificate in assigned(certificates))
    else:
        listens = "".join(f"listen {address}:{port};" for address in addresses)
        servers = f"server {{ {listens} root {root}; etag on; {locations} }}"
    # Where tests run as root, another user could not read files in a private temporary folder.
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(f"""
        {user} daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;
        events {{ worker_connections {2 * len(addresses) + 64}; }}
        http {{ {paths} log_format short "$server_protocol $status $request_uri"; access_log {folder}/access.log short;
          gzip on; gzip_types *; gzip_min_length 1; limit_req_zone $uri zone=one:1m rate=1r/m; {servers} }}""")
    return [program, "-p", folder, "-c", folder / "nginx.conf"]


def apache(folder, root, port, certificates, _, addresses):
    modules = pathlib.Path("/usr/lib/apache2/modules")
    program = shutil.which("apache2", path="/usr/sbin:" + os.environ["PATH"])
    if not program or not modules.is_dir():
        return None
    names = ["mpm_event", "authz_core", "alias", "deflate", "filter", "headers", "dir", "mime", "env"]
    names += ["ssl", "http2", "socache_shmcb"] if certificates else []
    loads = "\n".join(f"LoadModule {name}_module {modules}/mod_{name}.so" for name in names)
    listens = "\n".join(f"Listen {address}:{port}" for address in addresses)
    hosts = "".join(f"""
        <VirtualHost {address}:{port}>
          SSLEngine on
          SSLCertificateFile {certificate.chain}
          SSLCertificateKeyFile {certificate.key}
          Protocols h2 http/1.1
        </VirtualHost>""" for address, certificate in (assigned(certificates) if certificates else []))
    (folder / "apache.conf").write_text(f"""
        ServerName localhost
        ServerRoot {folder}
        PidFile {folder}/apache.pid
        ErrorLog {folder}/error.log
        TypesConfig /dev/null
        {loads}
        {"User www-data" if os.geteuid() == 0 else ""}
        {listens}
        DocumentRoot {root}
        CustomLog {folder}/access.log "%H"
        FileETag All
        Redirect 301 /moved /there
        Redirect 308 /there /tag/feed.xml
        Redirect gone /gone
        <Location /tag/>
          Header unset Last-Modified
        </Location>
        # A compressed response has an entity tag of its own, which mod_deflate never recognises.
        <Location /date/>
          SetOutputFilter DEFLATE
          Header unset ETag
        </Location>
        <Location /old/>
          SetEnv force-response-1.0 1
          SetEnv downgrade-1.0 1
        </Location>
        <Location /bomb>
          Header set Content-Encoding gzip
        </Location>
        {hosts}""")
    return [program, "-f", folder / "apache.conf", "-D", "FOREGROUND"]
