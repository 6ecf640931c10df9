"""Apache with mod_auth_openidc, as a web page's server."""

import subprocess
from pathlib import Path

from .checks import Stop, eventually, folder, require, start


class Apache:
    """Apache with mod_auth_openidc before one page, which prints what the module says about the person."""

    MODULES = ("mpm_event", "authn_core", "authz_core", "authz_user", "dir", "mime", "include", "ssl", "socache_shmcb",
               "auth_openidc")

    def __init__(self, authority, port, *directives, discovers=True):
        """- directives: of mod_auth_openidc, beside those without which it does nothing.
        - discovers: reads the provider's addresses from its metadata; else the directives have them."""
        self.place = folder()
        self.place.chmod(0o755)
        self.discovers = discovers
        self.authority, self.port, self.directives = authority, port, "\n".join(directives)
        self.process = None

    def start(self, provider, client):
        pages = self.place / "pages" / "protected"
        pages.mkdir(parents=True)
        (pages / "index.shtml").write_text(
            '<!doctype html><title>Shop</title><p id="number"><!--#echo var="OIDC_CLAIM_phone_number" --></p>'
            '<p id="verified"><!--#echo var="OIDC_CLAIM_phone_number_verified" --></p>'
            '<p id="acr"><!--#echo var="OIDC_CLAIM_acr" --></p><p id="sub"><!--#echo var="OIDC_CLAIM_sub" --></p>')
        require("apache2", "apache2")
        directory = Path("/usr/lib/apache2/modules")
        if not (directory / "mod_auth_openidc.so").exists():
            raise Stop("mod_auth_openidc is missing; install it with: apt-get install libapache2-mod-auth-openidc")
        modules = "\n".join(f"LoadModule {name}_module {directory}/mod_{name}.so" for name in self.MODULES)
        configuration = self.place / "apache.conf"
        configuration.write_text(f"""
{modules}
ServerName 127.0.0.1
ServerRoot {self.place}
PidFile {self.place}/pid
DefaultRuntimeDir {self.place}
ErrorLog {self.place}/error.log
LogLevel warn
TypesConfig /etc/mime.types
User www-data
Group www-data
Listen 127.0.0.1:{self.port}
DocumentRoot {self.place}/pages
SSLEngine on
SSLCertificateFile {self.authority.certificate}
SSLCertificateKeyFile {self.authority.key}
DirectoryIndex index.shtml
AddType text/html .shtml
AddOutputFilter INCLUDES .shtml
{f"OIDCProviderMetadataURL {provider.issuer}/.well-known/openid-configuration" if self.discovers else ""}
OIDCCABundlePath {self.authority.ca}
OIDCClientID {client["client_id"]}
{f"OIDCClientSecret {client['client_secret']}" if "client_secret" in client else ""}
OIDCRedirectURI https://127.0.0.1:{self.port}/protected/callback
OIDCCryptoPassphrase interop-passphrase-of-this-run
OIDCScope "openid phone"
{self.directives}
OIDCPassClaimsAs environment
<Directory {self.place}/pages>
Options +Includes
</Directory>
<Location /protected/>
AuthType openid-connect
Require valid-user
</Location>
""")
        self.process = start(["apache2", "-d", str(self.place), "-f", str(configuration), "-DFOREGROUND"],
                             stdout=subprocess.DEVNULL, stderr=open(self.place / "start.log", "w"))
        if not eventually(lambda: (self.place / "pid").exists(), 10):
            raise Stop(f"Apache did not start: {self.log()}")

    def log(self):
        paths = [self.place / name for name in ("start.log", "error.log")]
        return "".join(path.read_text(errors="replace") for path in paths if path.exists())[-1500:]
