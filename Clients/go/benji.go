// Package benji calls Benji's server API. It needs the standard library alone. docs/server-api.md describes the
// answers.
package benji

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const attempts = 3

// An Error says that the server refused the request, or did not answer it.
type Error struct {
	// Code is the result code, such as "token_spent"; "no_answer" if the server was not reached.
	Code   string `json:"code"`
	Detail string `json:"detail"`
	// Status is the HTTP status; 0 without an answer.
	Status int `json:"status"`
	// Param is the member or header that is wrong, if it is one.
	Param string `json:"param"`
	// Trace is the login's name in the operator's traces, if there is one.
	Trace string `json:"trace"`
	cause error
}

func (e *Error) Error() string { return e.Code + ": " + e.Detail }

// Unwrap returns why no answer came.
func (e *Error) Unwrap() error { return e.cause }

// A Login is the answer to a redeemed token.
type Login struct {
	// Number is the phone's number in E.164, with its plus sign.
	Number string `json:"number"`
	// Account is the person's identifier at your app. It stays the same while the number is theirs.
	Account         string    `json:"account"`
	Carrier         string    `json:"carrier"`
	Assurance       string    `json:"assurance"`
	Method          string    `json:"method"`
	AuthenticatedAt time.Time `json:"authenticatedAt"`
	Trace           string    `json:"trace"`
}

// An App is the app as it is registered.
type App struct {
	ID             string   `json:"id"`
	Name           string   `json:"name"`
	Capabilities   []string `json:"capabilities"`
	LeastAssurance string   `json:"leastAssurance"`
}

// A Server is an app's server at Benji. It is safe for concurrent use. A request is sent again, at most twice, if no
// answer came or the status is 502, 503 or 504.
type Server struct {
	URL, App, Secret string
	// Language is that of errors, "en" or "zh"; English if it is empty.
	Language string
	// Client is used if it is set; otherwise one that waits ten seconds for an answer. Its CheckRedirect should return
	// http.ErrUseLastResponse: a redirect could hand the secret to another host.
	Client *http.Client
}

var keys = regexp.MustCompile(`^[\x21-\x7e]{1,255}$`)

var usual = &http.Client{
	Timeout:       10 * time.Second,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// Redeem spends a login token. A request with the same key and token has the same answer and is billed once. A key is 1
// to 255 visible ASCII characters without spaces; if it is empty, a random key is used.
func (s *Server) Redeem(ctx context.Context, token, key string) (*Login, error) {
	var login Login
	err := s.send(ctx, "POST", "/v1/tokens/redeem", map[string]string{"token": token}, key, &login)
	if err != nil {
		return nil, err
	}
	return &login, nil
}

// Verify spends a verification token and returns whether the number, in E.164 with its plus sign, is the phone's.
func (s *Server) Verify(ctx context.Context, token, number, key string) (bool, error) {
	var answer struct {
		IsSame bool `json:"isSame"`
	}
	body := map[string]string{"token": token, "number": number}
	err := s.send(ctx, "POST", "/v1/tokens/verify", body, key, &answer)
	return answer.IsSame && err == nil, err
}

// Self returns the app that id and secret belong to.
func (s *Server) Self(ctx context.Context) (*App, error) {
	var app App
	if err := s.send(ctx, "GET", "/v1/apps/me", nil, "", &app); err != nil {
		return nil, err
	}
	return &app, nil
}

func keepsSecrets(text string) bool {
	place, err := url.Parse(text)
	if err != nil {
		return false
	}
	host := place.Hostname()
	isHere := host == "localhost" || strings.HasSuffix(host, ".localhost") || net.ParseIP(host).IsLoopback()
	return place.Scheme == "https" || place.Scheme == "http" && isHere
}

func (s *Server) send(ctx context.Context, method, path string, body map[string]string, key string, into any) error {
	var data []byte
	if body != nil {
		data, _ = json.Marshal(body)
		if key == "" {
			random := make([]byte, 16)
			if _, err := rand.Read(random); err != nil {
				return err
			}
			key = hex.EncodeToString(random)
		}
		if !keys.MatchString(key) {
			return errors.New("key: must be 1 to 255 visible ASCII characters without spaces")
		}
	}
	if !keepsSecrets(s.URL) {
		return errors.New("URL: must begin with https://; http:// is for this machine alone")
	}
	for attempt := 1; ; attempt++ {
		failure := s.once(ctx, method, path, data, key, into)
		if failure == nil {
			return nil
		}
		switch failure.Status {
		case 0, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		default:
			return failure
		}
		if attempt == attempts {
			return failure
		}
		select {
		case <-ctx.Done():
			return failure
		case <-time.After(time.Duration(attempt) * time.Second):
		}
	}
}

func (s *Server) once(ctx context.Context, method, path string, data []byte, key string, into any) *Error {
	request, err := http.NewRequestWithContext(ctx, method, strings.TrimRight(s.URL, "/")+path, bytes.NewReader(data))
	if err != nil {
		return &Error{Code: "no_answer", Detail: err.Error(), cause: err}
	}
	request.SetBasicAuth(s.App, s.Secret)
	if request.Header.Set("Accept-Language", "en"); s.Language != "" {
		request.Header.Set("Accept-Language", s.Language)
	}
	if data != nil {
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Idempotency-Key", key)
	}
	client := s.Client
	if client == nil {
		client = usual
	}
	answer, err := client.Do(request)
	if err != nil {
		return &Error{Code: "no_answer", Detail: err.Error(), cause: err}
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	if err != nil {
		return &Error{Code: "no_answer", Detail: err.Error(), cause: err}
	}
	if answer.StatusCode == http.StatusOK {
		if err := json.Unmarshal(text, into); err != nil {
			return &Error{Code: "no_answer", Detail: err.Error(), cause: err}
		}
		return nil
	}
	failure := &Error{}
	if json.Unmarshal(text, failure) != nil || failure.Code == "" {
		failure = &Error{Code: "no_answer", Detail: "HTTP status " + answer.Status}
	}
	failure.Status = answer.StatusCode
	return failure
}

// An Event is what Benji told the app's callback (docs/callbacks.md).
type Event struct {
	ID        string          `json:"id"`
	Type      string          `json:"type"`
	Timestamp time.Time       `json:"timestamp"`
	Data      json.RawMessage `json:"data"`
}

// ErrNotOurs says that a request is no event of Benji's, or an old one.
var ErrNotOurs = errors.New("no event of Benji's")

// Tolerance is how old an event may be, and how far ahead.
const Tolerance = 5 * time.Minute

// ReadEvent returns the event in a request's body, if it is signed with one of secrets ("whsec_…") and not older than
// Tolerance. Body are the bytes as they came. An event can come more than once: take each ID once.
func ReadEvent(secrets []string, header http.Header, body []byte, now time.Time) (*Event, error) {
	id, sent := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(sent, 10, 64)
	if err != nil || id == "" || len(sent) > 11 || sent[0] < '0' {
		return nil, fmt.Errorf("%w: the headers of an event are missing", ErrNotOurs)
	}
	if age := now.Sub(time.Unix(seconds, 0)); age > Tolerance || age < -Tolerance {
		return nil, fmt.Errorf("%w: it was sent too long ago", ErrNotOurs)
	}
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) < 16 {
			return nil, errors.New("a callback's secret is missing or cut off")
		}
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(id + "." + sent + "."))
		mac.Write(body)
		right := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		for _, given := range strings.Fields(header.Get("webhook-signature")) {
			if !hmac.Equal(right, []byte(given)) {
				continue
			}
			var event Event
			if err := json.Unmarshal(body, &event); err != nil {
				return nil, err
			}
			if event.ID != id {
				return nil, fmt.Errorf("%w: the body is another event's", ErrNotOurs)
			}
			return &event, nil
		}
	}
	return nil, fmt.Errorf("%w: no signature is right", ErrNotOurs)
}
