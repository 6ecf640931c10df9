<?php

declare(strict_types=1);

/**
 * Benji's server API for PHP 8.1 and later, without other packages. docs/server-api.md describes the answers.
 */

namespace Benji;

/** The server refused the request, or did not answer it. */
final class Failure extends \RuntimeException
{
    /**
     * @param string $error the result code, such as "token_spent"; "no_answer" if the server was not reached
     * @param int $status the HTTP status; 0 without an answer
     * @param ?string $param the member or header that is wrong
     * @param ?string $trace the login's name in the operator's traces
     */
    public function __construct(
        public readonly string $error,
        public readonly string $detail,
        public readonly int $status = 0,
        public readonly ?string $param = null,
        public readonly ?string $trace = null,
    ) {
        parent::__construct("$error: $detail");
    }
}

/** A request is no event of Benji's, or an old one. */
final class NotOurs extends \RuntimeException
{
}

/**
 * An app's server at Benji.
 *
 * A request is sent again, at most twice, if no answer came or the status is 502, 503 or 504.
 */
final class Server
{
    private const ATTEMPTS = 3;

    private string $authorization;

    /**
     * @param float $timeout the longest pause while an answer arrives, in seconds
     * @param string $language that of errors: "en" or "zh"
     */
    public function __construct(
        private string $url,
        string $app,
        string $secret,
        private float $timeout = 10,
        private string $language = 'en',
    ) {
        ['scheme' => $scheme, 'host' => $host] = (parse_url($url) ?: []) + ['scheme' => '', 'host' => ''];
        $isHere = preg_match('{^((.+\.)?localhost|127(\.\d{1,3}){3}|\[::1\])$}D', $host);
        if ($scheme !== 'https' && !($scheme === 'http' && $isHere)) {
            throw new \InvalidArgumentException('url: must begin with https://; http:// is for this machine alone');
        }
        $this->url = rtrim($url, '/');
        $this->authorization = 'Basic ' . base64_encode("$app:$secret");
    }

    /**
     * Spends a login token and returns the login: number, account, carrier, assurance, method, authenticatedAt, trace.
     *
     * A request with the same key and token has the same answer and is billed once. A key is 1 to 255 visible ASCII characters without spaces.
     * Without one, a random key is used.
     */
    public function redeem(string $token, ?string $key = null): array
    {
        return $this->send('POST', '/v1/tokens/redeem', ['token' => $token], $key);
    }

    /** Spends a verification token and returns whether the number, in E.164 with its plus sign, is the phone's. */
    public function verify(string $token, string $number, ?string $key = null): bool
    {
        return $this->send('POST', '/v1/tokens/verify', ['token' => $token, 'number' => $number], $key)['isSame'];
    }

    /** The app that id and secret belong to. */
    public function app(): array
    {
        return $this->send('GET', '/v1/apps/me');
    }

    private function send(string $method, string $path, ?array $body = null, ?string $key = null): array
    {
        $headers = ["Authorization: $this->authorization", 'Accept: application/json', "Accept-Language: $this->language"];
        if ($body !== null) {
            $key ??= bin2hex(random_bytes(16));
            if (!preg_match('/^[\x21-\x7E]{1,255}$/D', $key)) {
                throw new \InvalidArgumentException('key: must be 1 to 255 visible ASCII characters without spaces');
            }
            array_push($headers, 'Content-Type: application/json', "Idempotency-Key: $key");
        }
        $options = ['http' => [
            'method' => $method, 'header' => $headers, 'timeout' => $this->timeout, 'ignore_errors' => true,
            'follow_location' => 0, 'content' => $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR),
        ]];
        for ($attempt = 1;; $attempt++) {
            $http_response_header = [];
            $text = @file_get_contents($this->url . $path, false, stream_context_create($options));
            $status = preg_match('{^HTTP/\S+ (\d+)}', $http_response_header[0] ?? '', $match) ? (int) $match[1] : 0;
            $json = is_string($text) ? json_decode($text, true) : null;
            if ($status === 200 && is_array($json)) {
                return $json;
            }
            if ($attempt === self::ATTEMPTS || !in_array($status, [0, 200, 502, 503, 504], true)) {
                throw new Failure(
                    $json['code'] ?? 'no_answer',
                    $json['detail'] ?? ($status === 0 ? error_get_last()['message'] ?? '' : "HTTP status $status"),
                    $status,
                    $json['param'] ?? null,
                    $json['trace'] ?? null,
                );
            }
            sleep($attempt);
        }
    }
}

/**
 * The event in a request's body, if it is signed with one of $secrets ("whsec_…") and not older than $tolerance seconds.
 *
 * An event can come more than once: take each id once.
 *
 * @param string[] $secrets
 * @param array<string, string> $headers by their names in lower case
 * @param string $body the bytes as they came: file_get_contents('php://input')
 */
function readEvent(array $secrets, array $headers, string $body, ?int $now = null, int $tolerance = 300): array
{
    [$id, $sent, $signatures] = array_map(
        fn ($each) => $headers["webhook-$each"] ?? '',
        ['id', 'timestamp', 'signature'],
    );
    if ($id === '' || !preg_match('/^[0-9]{1,11}$/D', $sent)) {
        throw new NotOurs('the headers of an event are missing');
    }
    if (abs(($now ?? time()) - (int) $sent) > $tolerance) {
        throw new NotOurs('the event was sent too long ago');
    }
    foreach ($secrets as $secret) {
        $key = base64_decode(str_starts_with($secret, 'whsec_') ? substr($secret, 6) : $secret, true);
        if ($key === false || strlen($key) < 16) {
            throw new \InvalidArgumentException("a callback's secret is missing or cut off");
        }
        $right = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$sent.$body", $key, true));
        foreach (explode(' ', $signatures) as $given) {
            if (hash_equals($right, $given)) {
                $event = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
                if (($event['id'] ?? null) !== $id) {
                    throw new NotOurs("the body is another event's");
                }
                return $event;
            }
        }
    }
    throw new NotOurs('no signature is right');
}
