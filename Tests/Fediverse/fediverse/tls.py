"""A certificate authority that lives as long as the server."""

import pathlib
import ssl
import subprocess

EXTENSIONS = "subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1\nbasicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth\n"


def make_authority(folder):
    """Makes a CA and a certificate for localhost with `openssl`. Returns the path of the CA's certificate and a server's TLS context."""
    folder = pathlib.Path(folder)
    run(folder, "req", "-x509", *new_key("ca"), "-subj", "/CN=Tests of the fediverse", "-days", "2", "-out", "ca.pem",
        "-addext", "keyUsage=critical,keyCertSign,cRLSign")
    run(folder, "req", *new_key("server"), "-subj", "/CN=localhost", "-out", "server.csr")
    (folder / "extensions").write_text(EXTENSIONS)
    run(folder, "x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "1",
        "-extfile", "extensions", "-out", "server.pem")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(folder / "server.pem", folder / "server.key")
    return folder / "ca.pem", context


def new_key(name):
    return ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", f"{name}.key"]


def run(folder, *arguments):
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)
