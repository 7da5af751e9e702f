"""Certificates by openssl: authorities, and servers with one fault each."""

import pathlib
import subprocess
from dataclasses import dataclass

CONFIGURATION = """
[ca]
default_ca = issuing
[issuing]
database = {folder}/index.txt
new_certs_dir = {folder}
default_md = sha256
policy = any
rand_serial = yes
unique_subject = no
[any]
commonName = supplied
[req]
distinguished_name = name
[name]
"""
AUTHORITY = "basicConstraints = critical, CA:TRUE\nkeyUsage = critical, keyCertSign, cRLSign\n"
NOW = ("20200101000000Z", "20990101000000Z")


@dataclass
class Certificate:
    """A certificate with its key; `chain` is the file that a server sends, `nginx` what it sets besides."""

    chain: pathlib.Path
    key: pathlib.Path
    nginx: str = ""


class Maker:
    """Makes certificates in a folder. All have the same key."""

    def __init__(self, folder):
        self.folder, self.key = folder, folder / "key.pem"
        self.configuration = folder / "openssl.conf"
        self.configuration.write_text(CONFIGURATION.format(folder=folder))
        (folder / "index.txt").touch()
        self.openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", self.key)

    @staticmethod
    def openssl(*words):
        subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True)

    def issue(self, name, extensions, issuer=None, dates=NOW, subject=None):
        """Returns the file of a certificate that `issuer`, or its own key, has signed."""
        request, extra, made = (self.folder / f"{name}.{end}" for end in ("csr", "ext", "pem"))
        self.openssl("req", "-new", "-config", self.configuration, "-key", self.key, "-subj", f"/CN={subject or name}", "-out", request)
        extra.write_text(extensions)
        signer = ["-cert", issuer, "-keyfile", self.key] if issuer else ["-selfsign", "-keyfile", self.key]
        self.openssl(
            "ca", "-batch", "-notext", "-config", self.configuration, *signer, "-in", request, "-out", made, "-extfile", extra,
            "-startdate", dates[0], "-enddate", dates[1])
        return made

    def authority(self, name, issuer=None, extensions=""):
        return self.issue(name, AUTHORITY + extensions, issuer)

    def server(self, address, issuer, *sent, dates=NOW, nginx=""):
        """Returns the certificate of a server at an address, which sends the certificates `sent` behind it."""
        made = self.issue(f"server-{address}-{issuer.stem if issuer else 'itself'}", f"subjectAltName = IP:{address}\n", issuer, dates)
        chain = made.with_suffix(".chain")
        chain.write_bytes(b"".join(file.read_bytes() for file in (made, *sent)))
        return Certificate(chain, self.key, nginx)
