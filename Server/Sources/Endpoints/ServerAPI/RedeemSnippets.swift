/// Programs that redeem a token by the server API, for a developer to copy: complete, each in one file, without a
/// library.
package struct RedeemSnippets: Sendable {
    /// Where a program gets the token from.
    package enum Token: Sendable {
        /// Its first argument.
        case argument
        /// A login of this phone of the sandbox, by `benji phone token`.
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
        address = server + ServerAPIEndpoints.Path.redeem.rawValue
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
            curl -sS \(address) -u '\(app):\(secret)' \\
                -H 'Content-Type: application/json' -d '{"token":"'"\(token)"'"}'
            """
    }

    private var python: String {
        """
        # \(start("python3 redeem.py"))
        import base64, json, sys, urllib.request

        secret = base64.b64encode(b"\(app):\(secret)").decode()
        request = urllib.request.Request(
            "\(address)", json.dumps({"token": sys.argv[1]}).encode(),
            {"Authorization": "Basic " + secret, "Content-Type": "application/json"})
        print(json.load(urllib.request.urlopen(request)))
        """
    }

    private var node: String {
        """
        // \(start("node redeem.mjs"))
        const answer = await fetch("\(address)", {
          method: "POST",
          headers: { Authorization: "Basic " + btoa("\(app):\(secret)"), "Content-Type": "application/json" },
          body: JSON.stringify({ token: process.argv[2] }),
        });
        console.log(await answer.json());
        """
    }

    private var java: String {
        """
        // \(start("java Redeem.java"))
        import java.net.URI;
        import java.net.http.*;
        import java.util.Base64;

        public class Redeem {
            public static void main(String[] arguments) throws Exception {
                String secret = Base64.getEncoder().encodeToString("\(app):\(secret)".getBytes("UTF-8"));
                HttpRequest request = HttpRequest.newBuilder(URI.create("\(address)"))
                        .header("Authorization", "Basic " + secret).header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString("{\\"token\\":\\"" + arguments[0] + "\\"}")).build();
                System.out.println(HttpClient.newHttpClient().send(request, \
        HttpResponse.BodyHandlers.ofString()).body());
            }
        }
        """
    }

    private var php: String {
        """
        <?php
        // \(start("php redeem.php"))
        echo file_get_contents("\(address)", false, stream_context_create(["http" => [
            "method" => "POST", "content" => json_encode(["token" => $argv[1]]),
            "header" => ["Authorization: Basic " . base64_encode("\(app):\(secret)"), "Content-Type: \
        application/json"]]]));
        """
    }

    private var go: String {
        """
        // \(start("go run redeem.go"))
        package main

        import (
            "bytes"
            "encoding/json"
            "io"
            "net/http"
            "os"
        )

        func main() {
            body, _ := json.Marshal(map[string]string{"token": os.Args[1]})
            request, _ := http.NewRequest("POST", "\(address)", bytes.NewReader(body))
            request.SetBasicAuth("\(app)", "\(secret)")
            request.Header.Set("Content-Type", "application/json")
            answer, err := http.DefaultClient.Do(request)
            if err != nil {
                panic(err)
            }
            io.Copy(os.Stdout, answer.Body)
        }
        """
    }

    private var swift: String {
        """
        // \(start("swift redeem.swift"))
        import Foundation
        #if canImport(FoundationNetworking)
        import FoundationNetworking
        #endif

        var request = URLRequest(url: URL(string: "\(address)")!)
        request.httpMethod = "POST"
        let secret = Data("\(app):\(secret)".utf8).base64EncodedString()
        request.setValue("Basic \\(secret)", forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONEncoder().encode(["token": CommandLine.arguments[1]])
        // On Linux, Foundation never returns from this call if the secret is wrong. The library BenjiServerAPI does.
        let (answer, _) = try await URLSession.shared.data(for: request)
        print(String(decoding: answer, as: UTF8.self))
        """
    }
}
