"""A certificate authority for tests, made of openssl."""

from support.checks import require, run

# For a certificate that has expired.
OF_JANUARY_2020 = ["-startdate", "20200101000000Z", "-enddate", "20200201000000Z"]


class CertificateAuthority:
    """A private certificate authority that issues certificates for this machine, each with a key of its own."""

    def __init__(self, folder):
        self.folder = folder
        self.openssl = require("openssl", "openssl")
        self.certificate = folder / "ca.pem"
        self._make("-x509", "-days", "30", "-subj", "/CN=Test authority", "-addext",
                   "keyUsage=critical,keyCertSign,cRLSign",
                   "-keyout", folder / "ca.key", "-out", self.certificate)
        (folder / "index.txt").write_text("")
        (folder / "serial").write_text("1000\n")
        (folder / "ca.cnf").write_text(f"""[ca]
default_ca = own
[own]
database = {folder}/index.txt
serial = {folder}/serial
new_certs_dir = {folder}
default_md = sha256
unique_subject = no
policy = any
x509_extensions = host
[any]
commonName = supplied
[host]
basicConstraints = critical,CA:FALSE
subjectAltName = DNS:localhost,IP:127.0.0.1
""")

    def _make(self, *words):
        done = run([self.openssl, "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                    *map(str, words)])
        assert done.returncode == 0, done.stderr

    def issue(self, name, dates):
        """`name.pem` and `name.key`, for the given options of `openssl ca`."""
        self._make("-subj", f"/CN={name}", "-keyout", self.folder / f"{name}.key", "-out", self.folder / f"{name}.csr")
        done = run([self.openssl, "ca", "-batch", "-config", str(self.folder / "ca.cnf"), "-cert",
                    str(self.certificate), "-keyfile",
                    str(self.folder / "ca.key"), "-in", str(self.folder / f"{name}.csr"), "-notext", "-out",
                    str(self.folder / f"{name}.pem"), *dates])
        assert done.returncode == 0, done.stderr
