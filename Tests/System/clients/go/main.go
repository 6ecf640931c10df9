// Does what its arguments say with Clients/go: see Tests/System/dialects/test_server_api.py.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	benji "benji.example/server"
)

func main() {
	said, err := run(os.Args[1], os.Args[2:])
	var failure *benji.Error
	switch {
	case err == nil:
		fmt.Println("ok", said)
	case errors.As(err, &failure):
		param := failure.Param
		if param == "" {
			param = "-"
		}
		fmt.Println("failure", failure.Code, failure.Status, param)
	case errors.Is(err, benji.ErrNotOurs):
		fmt.Println("not ours")
	default:
		panic(err)
	}
}

func run(order string, words []string) (string, error) {
	ctx := context.Background()
	if order == "event" {
		var given map[string]string
		if err := json.Unmarshal([]byte(words[1]), &given); err != nil {
			return "", err
		}
		header := http.Header{}
		for name, value := range given {
			header.Set(name, value)
		}
		seconds, _ := strconv.ParseInt(words[3], 10, 64)
		event, err := benji.ReadEvent(strings.Fields(words[0]), header, []byte(words[2]), time.Unix(seconds, 0))
		if err != nil {
			return "", err
		}
		return event.ID + " " + event.Type, nil
	}
	server := &benji.Server{URL: words[0], App: words[1], Secret: words[2]}
	switch order {
	case "redeem":
		login, err := server.Redeem(ctx, words[3], words[4])
		if err != nil {
			return "", err
		}
		return strings.Join([]string{login.Number, login.Account, login.Assurance, login.Method, login.Trace}, " "), nil
	case "verify":
		isSame, err := server.Verify(ctx, words[3], words[4], "")
		return strconv.FormatBool(isSame), err
	default:
		app, err := server.Self(ctx)
		if err != nil {
			return "", err
		}
		return app.ID, nil
	}
}
