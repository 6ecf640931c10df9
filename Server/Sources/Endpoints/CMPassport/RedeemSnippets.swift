/// Programs that redeem a token at CMPassport's `loginTokenValidate`, for a developer to copy: complete, each in one file, without a
/// library.
package struct RedeemSnippets: Sendable {
    /// Where a program gets the token from.
    package enum Token: Sendable {
        /// Its first argument.
        case argument
        /// A phone of the sandbox: programs in curl and Python have it log in themselves, the others are started with what
        /// `benji phone token` printed.
        case phone(String)
    }

    private let app: String
    private let secret: String
    private let address: String
    private let token: Token

    /// - Parameters:
    ///   - secret: the server secret; a word in its place if `nil`.
    ///   - server: where apps' servers call: `https://api.example`, without a path.
    package init(app: String, secret: String?, server: String, token: Token) {
        self.app = app
        self.secret = secret ?? "YOUR_SERVER_SECRET"
        address = server + CMPassportEndpoints.Path.loginTokenValidate.rawValue
        self.token = token
    }

    /// Name for scripts, name for people, text.
    package var all: [(name: String, title: String, text: String)] {
        [
            ("curl", "curl", curl), ("python", "Python", python), ("node", "Node.js", node), ("java", "Java", java),
            ("php", "PHP", php), ("go", "Go", go), ("swift", "Swift", swift),
        ]
    }

    /// How a program is started that gets the token as its first argument.
    private func start(_ command: String) -> String {
        switch token {
        case .argument: "\(command) TOKEN"
        case .phone(let phone): #"\#(command) "$(benji phone token \#(phone))""#
        }
    }

    private var curl: String {
        let token =
            switch token {
            case .argument: "$1"
            case .phone(let phone): "$(benji phone token \(phone))"
            }
        return """
            ID=\(app) SECRET=\(secret)
            TOKEN=\(token)
            MSGID=$(openssl rand -hex 16)
            TIME=$(TZ=Asia/Shanghai date +%Y%m%d%H%M%S%3N)
            SIGN=$(printf %s "${ID}2.0${MSGID}${TIME}0${TOKEN}${SECRET}" | md5sum | cut -d' ' -f1)
            curl -sS \(address) -H 'Content-Type: application/json' -d '{
              "appid": "'$ID'", "version": "2.0", "msgid": "'$MSGID'", "systemtime": "'$TIME'",
              "strictcheck": "0", "token": "'$TOKEN'", "sign": "'$SIGN'"}'
            """
    }

    private var python: String {
        let (module, token) =
            switch token {
            case .argument: ("sys", "sys.argv[1]")
            case .phone(let phone):
                ("subprocess", #"subprocess.check_output(["benji", "phone", "token", "\#(phone)"], text=True).strip()"#)
            }
        return """
            import datetime, hashlib, json, \(module), urllib.request, uuid

            app, secret = "\(app)", "\(secret)"
            token = \(token)
            china = datetime.datetime.now(datetime.timezone(datetime.timedelta(hours=8)))
            body = {"appid": app, "version": "2.0", "msgid": uuid.uuid4().hex,
                    "systemtime": f"{china:%Y%m%d%H%M%S}{china.microsecond // 1000:03}", "strictcheck": "0", "token": token}
            body["sign"] = hashlib.md5(("".join(body.values()) + secret).encode()).hexdigest()
            request = urllib.request.Request("\(address)",
                                             json.dumps(body).encode(), {"Content-Type": "application/json"})
            print(json.load(urllib.request.urlopen(request)))
            """
    }

    private var node: String {
        """
        // \(start("node redeem.mjs"))
        import { createHash, randomUUID } from "node:crypto";

        const [app, secret, token] = ["\(app)", "\(secret)", process.argv[2]];
        const china = new Date(Date.now() + 8 * 3600_000).toISOString().replace(/\\D/g, "");
        const body = { appid: app, version: "2.0", msgid: randomUUID().replaceAll("-", ""), systemtime: china,
                       strictcheck: "0", token };
        body.sign = createHash("md5").update(Object.values(body).join("") + secret).digest("hex");
        const answer = await fetch("\(address)", {
          method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
        console.log(await answer.json());
        """
    }

    private var java: String {
        """
        // \(start("java Redeem.java"))
        import java.net.URI;
        import java.net.http.*;
        import java.security.MessageDigest;
        import java.time.*;
        import java.time.format.DateTimeFormatter;
        import java.util.*;

        public class Redeem {
            public static void main(String[] arguments) throws Exception {
                String app = "\(app)", secret = "\(secret)", token = arguments[0];
                String id = UUID.randomUUID().toString().replace("-", "");
                String time = ZonedDateTime.now(ZoneId.of("Asia/Shanghai"))
                        .format(DateTimeFormatter.ofPattern("yyyyMMddHHmmssSSS"));
                byte[] text = (app + "2.0" + id + time + "0" + token + secret).getBytes("UTF-8");
                String sign = HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(text));
                String body = String.format("{\\"appid\\":\\"%s\\",\\"version\\":\\"2.0\\",\\"msgid\\":\\"%s\\",\\"systemtime\\":\\"%s\\","
                        + "\\"strictcheck\\":\\"0\\",\\"token\\":\\"%s\\",\\"sign\\":\\"%s\\"}", app, id, time, token, sign);
                HttpRequest request = HttpRequest.newBuilder(URI.create("\(address)"))
                        .header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body)).build();
                System.out.println(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body());
            }
        }
        """
    }

    private var php: String {
        """
        <?php
        // \(start("php redeem.php"))
        [$app, $secret, $token] = ["\(app)", "\(secret)", $argv[1]];
        $china = new DateTime("now", new DateTimeZone("Asia/Shanghai"));
        $body = ["appid" => $app, "version" => "2.0", "msgid" => bin2hex(random_bytes(16)),
                 "systemtime" => $china->format("YmdHisv"), "strictcheck" => "0", "token" => $token];
        $body["sign"] = md5(implode("", $body) . $secret);
        echo file_get_contents("\(address)", false, stream_context_create(["http" => [
            "method" => "POST", "header" => "Content-Type: application/json", "content" => json_encode($body)]]));
        """
    }

    private var go: String {
        """
        // \(start("go run redeem.go"))
        package main

        import (
            "bytes"
            "crypto/md5"
            "crypto/rand"
            "encoding/json"
            "fmt"
            "io"
            "net/http"
            "os"
            "strings"
            "time"
        )

        func main() {
            app, secret, token := "\(app)", "\(secret)", os.Args[1]
            random := make([]byte, 16)
            rand.Read(random)
            id := fmt.Sprintf("%x", random)
            now := time.Now().In(time.FixedZone("China", 8*3600)).Format("20060102150405.000")
            at := strings.Replace(now, ".", "", 1)
            sign := fmt.Sprintf("%x", md5.Sum([]byte(app+"2.0"+id+at+"0"+token+secret)))
            body, _ := json.Marshal(map[string]string{"appid": app, "version": "2.0", "msgid": id, "systemtime": at,
                "strictcheck": "0", "token": token, "sign": sign})
            answer, err := http.Post("\(address)", "application/json", bytes.NewReader(body))
            if err != nil {
                panic(err)
            }
            text, _ := io.ReadAll(answer.Body)
            fmt.Println(string(text))
        }
        """
    }

    private var swift: String {
        """
        // \(start("swift redeem.swift")); on Linux the main.swift of a package with swift-crypto
        #if canImport(CryptoKit)
        import CryptoKit
        #else
        import Crypto
        #endif
        import Foundation
        #if canImport(FoundationNetworking)
        import FoundationNetworking
        #endif

        let (app, secret, token) = ("\(app)", "\(secret)", CommandLine.arguments[1])
        let id = UUID().uuidString.replacingOccurrences(of: "-", with: "")
        let clock = DateFormatter()
        clock.locale = Locale(identifier: "en_US_POSIX")
        clock.timeZone = TimeZone(secondsFromGMT: 8 * 3600)
        clock.dateFormat = "yyyyMMddHHmmssSSS"
        let time = clock.string(from: Date())
        let sign = Insecure.MD5.hash(data: Data("\\(app)2.0\\(id)\\(time)0\\(token)\\(secret)".utf8))
            .map { String(format: "%02x", $0) }.joined()
        var request = URLRequest(url: URL(string: "\(address)")!)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONEncoder().encode([
            "appid": app, "version": "2.0", "msgid": id, "systemtime": time, "strictcheck": "0", "token": token, "sign": sign,
        ])
        let (answer, _) = try await URLSession.shared.data(for: request)
        print(String(decoding: answer, as: UTF8.self))
        """
    }
}
