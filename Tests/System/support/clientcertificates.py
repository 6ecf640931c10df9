"""Certificates of apps' servers: of an authority of this run, or signed by their own keys."""

import datetime
import ipaddress
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from .checks import folder


def name(common, *more):
    """C=CN, O=Example, Inc. and a common name; and whatever else."""
    return x509.Name([x509.NameAttribute(NameOID.COUNTRY_NAME, "CN"),
                      x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Example, Inc."),
                      x509.NameAttribute(NameOID.COMMON_NAME, common), *more])


class Shown:
    """A certificate and its key, in files."""

    def __init__(self, place, title, certificate, key):
        self.certificate = certificate
        self.pem, self.key = place / f"{title}.pem", place / f"{title}.key"
        self.pem.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        self.key.touch(0o600)
        self.key.write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                                               serialization.NoEncryption()))


class ClientAuthority:
    """Signs certificates of apps' servers. Two of them may have one name."""

    def __init__(self, place=None):
        self.place = Path(place or folder())
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Clients' authority")])
        self.certificate = self._sign(self.subject, self.key.public_key(), self.subject, self.key, (-1, 10), [
            (x509.BasicConstraints(ca=True, path_length=None), True)])
        self.pem = self.place / "authority.pem"
        self.pem.write_bytes(self.certificate.public_bytes(serialization.Encoding.PEM))

    @staticmethod
    def _sign(subject, key, issuer, issuer_key, days, extensions):
        now = datetime.datetime.now(datetime.timezone.utc)
        made = (x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(key)
                .serial_number(x509.random_serial_number()).not_valid_before(now + datetime.timedelta(days[0]))
                .not_valid_after(now + datetime.timedelta(days[1])))
        for extension, critical in extensions:
            made = made.add_extension(extension, critical)
        return made.sign(issuer_key, hashes.SHA256())

    def issue(self, title, subject=None, hosts=(), addresses=(), days=(-1, 5), for_servers=False, self_signed=False):
        """- days: from when until when it counts, from now."""
        key, subject = ec.generate_private_key(ec.SECP256R1()), subject or name(title)
        extensions = [(x509.BasicConstraints(ca=False, path_length=None), True), (x509.ExtendedKeyUsage(
            [ExtendedKeyUsageOID.SERVER_AUTH if for_servers else ExtendedKeyUsageOID.CLIENT_AUTH]), False)]
        names = [x509.DNSName(each) for each in hosts] + [x509.IPAddress(ipaddress.ip_address(each))
                                                          for each in addresses]
        if names:
            extensions.append((x509.SubjectAlternativeName(names), False))
        signed = self._sign(subject, key.public_key(), subject if self_signed else self.subject,
                            key if self_signed else self.key, days, extensions)
        return Shown(self.place, title, signed, key)
