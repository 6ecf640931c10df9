package benji;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Benji's server API for Java 17 and later, without other libraries. docs/server-api.md describes the answers.
 *
 * <p>Safe to share between threads. A request is sent again, at most twice, if no answer came or the status is 502, 503 or 504.
 */
public final class BenjiServer {
    /** The server refused the request, or did not answer it. */
    public static final class Failure extends Exception {
        /** The result code, such as "token_spent"; "no_answer" if the server was not reached. */
        public final String code;
        public final String detail;
        /** The HTTP status; 0 without an answer. */
        public final int status;
        /** The member or header that is wrong, or null. */
        public final String param;
        /** The login's name in the operator's traces, or null. */
        public final String trace;

        Failure(String code, String detail, int status, String param, String trace) {
            super(code + ": " + detail);
            this.code = code;
            this.detail = detail;
            this.status = status;
            this.param = param;
            this.trace = trace;
        }
    }

    /**
     * The answer to a redeemed token.
     *
     * @param number the phone's number in E.164, with its plus sign
     * @param account the person's identifier at your app; it stays the same while the number is theirs
     */
    public record Login(String number, String account, String carrier, String assurance, String method,
            Instant authenticatedAt, String trace) {}

    /** A request is no event of Benji's, or an old one. */
    public static final class NotOurs extends Exception {
        NotOurs(String message) { super(message); }
    }

    private static final int ATTEMPTS = 3;
    private static final long TOLERANCE = 300;

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(10)).build();
    private final String url;
    private final String authorization;
    private final String language;

    /** @param url where apps' servers call: https://id.example.com, without a path */
    public BenjiServer(String url, String app, String secret) { this(url, app, secret, "en"); }

    /** @param language that of errors: "en" or "zh" */
    public BenjiServer(String url, String app, String secret, String language) {
        URI place = URI.create(url);
        String host = place.getHost() == null ? "" : place.getHost();
        boolean isHere = host.matches("(.+\\.)?localhost|127(\\.\\d{1,3}){3}|\\[::1\\]");
        if (!"https".equals(place.getScheme()) && !("http".equals(place.getScheme()) && isHere)) {
            throw new IllegalArgumentException("url: must begin with https://; http:// is for this machine alone");
        }
        this.url = url.replaceAll("/+$", "");
        this.language = language;
        authorization = "Basic "
                + Base64.getEncoder().encodeToString((app + ":" + secret).getBytes(StandardCharsets.UTF_8));
    }

    /** Spends a login token. */
    public Login redeem(String token) throws Failure, InterruptedException {
        return redeem(token, UUID.randomUUID().toString());
    }

    /**
     * Spends a login token. A request with the same key and token has the same answer and is billed once.
     *
     * @param key 1 to 255 visible ASCII characters without spaces
     */
    public Login redeem(String token, String key) throws Failure, InterruptedException {
        Map<String, Object> login = send("/v1/tokens/redeem", Map.of("token", token), key);
        Function<String, String> text = name -> (String) login.get(name);
        return new Login(text.apply("number"), text.apply("account"), text.apply("carrier"), text.apply("assurance"),
                text.apply("method"), Instant.parse(text.apply("authenticatedAt")), text.apply("trace"));
    }

    /** Spends a verification token and returns whether the number, in E.164 with its plus sign, is the phone's. */
    public boolean verify(String token, String number) throws Failure, InterruptedException {
        return verify(token, number, UUID.randomUUID().toString());
    }

    /** The same; a request with the same key, token and number has the same answer and is billed once. */
    public boolean verify(String token, String number, String key) throws Failure, InterruptedException {
        Map<String, Object> answer = send("/v1/tokens/verify", Map.of("token", token, "number", number), key);
        return (Boolean) answer.get("isSame");
    }

    /** The app that id and secret belong to: id, name, capabilities, leastAssurance. */
    public Map<String, Object> app() throws Failure, InterruptedException {
        return send("/v1/apps/me", null, null);
    }

    private Map<String, Object> send(String path, Map<String, String> body, String key)
            throws Failure, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path)).timeout(Duration.ofSeconds(10))
                .header("Authorization", authorization).header("Accept", "application/json")
                .header("Accept-Language", language);
        if (body != null) {
            if (!key.matches("[\\x21-\\x7e]{1,255}")) {
                throw new IllegalArgumentException("key: must be 1 to 255 visible ASCII characters without spaces");
            }
            request.header("Content-Type", "application/json").header("Idempotency-Key", key)
                    .POST(HttpRequest.BodyPublishers.ofString(Json.write(body)));
        }
        for (int attempt = 1;; attempt++) {
            Failure failure;
            try {
                HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
                if (answer.statusCode() == 200) {
                    return Json.object(answer.body());
                }
                Map<String, Object> json = problem(answer.body());
                failure = new Failure((String) json.getOrDefault("code", "no_answer"),
                        (String) json.getOrDefault("detail", "HTTP status " + answer.statusCode()),
                        answer.statusCode(), (String) json.get("param"), (String) json.get("trace"));
            } catch (IOException | IllegalArgumentException error) {
                failure = new Failure("no_answer", String.valueOf(error.getMessage()), 0, null, null);
            }
            if (attempt == ATTEMPTS || !List.of(0, 502, 503, 504).contains(failure.status)) {
                throw failure;
            }
            Thread.sleep(attempt * 1000L);
        }
    }

    private static Map<String, Object> problem(String body) {
        try {
            return Json.object(body);
        } catch (IllegalArgumentException error) {
            return Map.of();
        }
    }

    /**
     * The event in a request's body, if it is signed with one of the secrets ("whsec_…") and not older than five minutes. An event can
     * come more than once: take each id once.
     *
     * @param header gives the value of a header, or null
     * @param body the bytes as they came
     */
    public static Map<String, Object> readEvent(List<String> secrets, Function<String, String> header, byte[] body,
            Instant now) throws NotOurs {
        String id = header.apply("webhook-id");
        String sent = header.apply("webhook-timestamp");
        String signatures = header.apply("webhook-signature");
        if (id == null || id.isEmpty() || sent == null || !sent.matches("[0-9]{1,11}") || signatures == null) {
            throw new NotOurs("the headers of an event are missing");
        }
        if (Math.abs(now.getEpochSecond() - Long.parseLong(sent)) > TOLERANCE) {
            throw new NotOurs("the event was sent too long ago");
        }
        for (String secret : secrets) {
            byte[] right = code(secret, id + "." + sent + ".", body);
            for (String given : signatures.split(" ")) {
                if (MessageDigest.isEqual(right, given.getBytes(StandardCharsets.UTF_8))) {
                    Map<String, Object> event = Json.object(new String(body, StandardCharsets.UTF_8));
                    if (!id.equals(event.get("id"))) {
                        throw new NotOurs("the body is another event's");
                    }
                    return event;
                }
            }
        }
        throw new NotOurs("no signature is right");
    }

    private static byte[] code(String secret, String head, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            byte[] key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
            if (key.length < 16) {
                throw new IllegalArgumentException("a callback's secret is missing or cut off");
            }
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update(head.getBytes(StandardCharsets.UTF_8));
            return ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(StandardCharsets.UTF_8);
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    /** JSON, which Java's library does not have. */
    private static final class Json {
        private final String text;
        private int at = 0;

        private Json(String text) { this.text = text; }

        @SuppressWarnings("unchecked")
        static Map<String, Object> object(String text) {
            Json json = new Json(text);
            Object value = json.value(0);
            json.skip();
            if (json.at != text.length() || !(value instanceof Map)) {
                throw new IllegalArgumentException("no JSON object");
            }
            return (Map<String, Object>) value;
        }

        static String write(Map<String, String> members) {
            StringBuilder out = new StringBuilder("{");
            members.forEach((name, value) -> {
                out.append(out.length() == 1 ? "\"" : ",\"").append(name).append("\":\"");
                for (char each : value.toCharArray()) {
                    boolean isPlain = each >= ' ' && each != '"' && each != '\\';
                    out.append(isPlain ? String.valueOf(each) : String.format("\\u%04x", (int) each));
                }
                out.append('"');
            });
            return out.append('}').toString();
        }

        private void skip() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
        }

        private char next() {
            if (at >= text.length()) {
                throw new IllegalArgumentException("the JSON ends early");
            }
            return text.charAt(at++);
        }

        private boolean takes(char wanted) {
            skip();
            boolean isNext = at < text.length() && text.charAt(at) == wanted;
            at += isNext ? 1 : 0;
            return isNext;
        }

        private void need(char wanted) {
            if (!takes(wanted)) {
                throw new IllegalArgumentException("no " + wanted + " at " + at);
            }
        }

        private Object value(int depth) {
            if (depth > 64) {
                throw new IllegalArgumentException("the JSON is too deep");
            }
            if (takes('{')) {
                Map<String, Object> object = new LinkedHashMap<>();
                for (boolean isFirst = true; !takes('}'); isFirst = false) {
                    if (!isFirst) {
                        need(',');
                    }
                    need('"');
                    String name = string();
                    need(':');
                    object.put(name, value(depth + 1));
                }
                return object;
            }
            if (takes('[')) {
                List<Object> array = new ArrayList<>();
                while (!takes(']')) {
                    if (!array.isEmpty()) {
                        need(',');
                    }
                    array.add(value(depth + 1));
                }
                return array;
            }
            if (takes('"')) {
                return string();
            }
            int start = at;
            while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            String word = text.substring(start, at);
            return switch (word) {
                case "true" -> true;
                case "false" -> false;
                case "null" -> null;
                default -> Double.valueOf(word);
            };
        }

        private String string() {
            StringBuilder out = new StringBuilder();
            for (char each = next(); each != '"'; each = next()) {
                if (each != '\\') {
                    out.append(each);
                    continue;
                }
                char escape = next();
                int place = "bfnrt".indexOf(escape);
                if (escape == 'u') {
                    out.append((char) Integer.parseInt("" + next() + next() + next() + next(), 16));
                } else {
                    out.append(place < 0 ? escape : "\b\f\n\r\t".charAt(place));
                }
            }
            return out.toString();
        }
    }
}
