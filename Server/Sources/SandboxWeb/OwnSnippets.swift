import BenjiClient
import BenjiProtocol
import Endpoints
import Sandbox

/// What a developer copies into a shell or a program to try an app of their own: complete, with this sandbox's values.
struct OwnSnippets {
    let app: OwnApp
    let phone: String

    /// Name for scripts, name of the title, text.
    var all: [(name: String, title: String, text: String)] {
        [
            ("openid", "snippetOpenID", openID), ("curl", "snippetCurl", curl), ("python", "snippetPython", python),
        ]
    }

    private var id: String { app.credentials.id.rawValue }
    private var redeem: String { app.server.origin + CMPassportEndpoints.Path.loginTokenValidate.rawValue }

    private var openID: String {
        """
        OIDC_ISSUER=\(app.server.origin)
        OIDC_CLIENT_ID=\(id)
        OIDC_CLIENT_SECRET=\(app.clientSecret)
        OIDC_REDIRECT_URI=\(app.redirectURIs.first ?? "")
        OIDC_SCOPE="openid phone"
        """
    }

    private var curl: String {
        """
        ID=\(id) SECRET=\(app.serverSecret)
        TOKEN=$(benji phone token \(phone))
        MSGID=$(openssl rand -hex 16)
        TIME=$(TZ=Asia/Shanghai date +%Y%m%d%H%M%S%3N)
        SIGN=$(printf %s "${ID}2.0${MSGID}${TIME}0${TOKEN}${SECRET}" | md5sum | cut -d' ' -f1)
        curl -sS \(redeem) -H 'Content-Type: application/json' -d '{
          "appid": "'$ID'", "version": "2.0", "msgid": "'$MSGID'", "systemtime": "'$TIME'",
          "strictcheck": "0", "token": "'$TOKEN'", "sign": "'$SIGN'"}'
        """
    }

    private var python: String {
        """
        import datetime, hashlib, json, subprocess, urllib.request, uuid

        app, secret = "\(id)", "\(app.serverSecret)"
        token = subprocess.check_output(["benji", "phone", "token", "\(phone)"], text=True).strip()
        china = datetime.datetime.now(datetime.timezone(datetime.timedelta(hours=8)))
        body = {"appid": app, "version": "2.0", "msgid": uuid.uuid4().hex,
                "systemtime": f"{china:%Y%m%d%H%M%S}{china.microsecond // 1000:03}", "strictcheck": "0", "token": token}
        body["sign"] = hashlib.md5(("".join(body.values()) + secret).encode()).hexdigest()
        request = urllib.request.Request("\(redeem)",
                                         json.dumps(body).encode(), {"Content-Type": "application/json"})
        print(json.load(urllib.request.urlopen(request)))
        """
    }
}
