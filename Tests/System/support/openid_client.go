// A web page's server with go-oidc and golang.org/x/oauth2, as their own examples have it.
//
//	openid_client ISSUER CLIENT_ID CLIENT_SECRET REDIRECT_URI header|form|auto [CERTIFICATE KEY]
//
// Prints where the browser is sent, reads the code that it comes back with, and prints who it is, as JSON. Shows a
// certificate at the addresses for it, and prints the answer to go-oidc's own call of userinfo, which knows the usual
// one.
package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"

	oidc "github.com/coreos/go-oidc"
	"golang.org/x/oauth2"
)

func main() {
	ctx := context.Background()
	shows := len(os.Args) > 6
	if shows {
		certificate, err := tls.LoadX509KeyPair(os.Args[6], os.Args[7])
		if err != nil {
			log.Fatal(err)
		}
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.TLSClientConfig = &tls.Config{Certificates: []tls.Certificate{certificate}}
		ctx = oidc.ClientContext(ctx, &http.Client{Transport: transport})
	}
	provider, err := oidc.NewProvider(ctx, os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	endpoint := provider.Endpoint()
	switch os.Args[5] {
	case "header":
		endpoint.AuthStyle = oauth2.AuthStyleInHeader
	case "form":
		endpoint.AuthStyle = oauth2.AuthStyleInParams
	}
	// Metadata that go-oidc does not read itself, but hands over.
	var more struct {
		Aliases struct {
			Token    string `json:"token_endpoint"`
			UserInfo string `json:"userinfo_endpoint"`
		} `json:"mtls_endpoint_aliases"`
	}
	if err := provider.Claims(&more); err != nil {
		log.Fatal(err)
	}
	if shows {
		endpoint.TokenURL = more.Aliases.Token
	}
	config := oauth2.Config{
		ClientID: os.Args[2], ClientSecret: os.Args[3], RedirectURL: os.Args[4], Endpoint: endpoint,
		Scopes: []string{oidc.ScopeOpenID, "phone"},
	}
	fmt.Println(config.AuthCodeURL("state-of-go", oidc.Nonce("nonce-of-go")))
	code, _ := bufio.NewReader(os.Stdin).ReadString('\n')
	token, err := config.Exchange(ctx, strings.TrimSpace(code))
	if err != nil {
		log.Fatal(err)
	}
	raw, _ := token.Extra("id_token").(string)
	idToken, err := provider.Verifier(&oidc.Config{ClientID: config.ClientID}).Verify(ctx, raw)
	if err != nil {
		log.Fatal(err)
	}
	if err := idToken.VerifyAccessToken(token.AccessToken); err != nil {
		log.Fatal(err)
	}
	claims := map[string]interface{}{}
	person, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
	switch {
	case shows:
		claims["usual"] = fmt.Sprint(err)
		answer, err := config.Client(ctx, token).Get(more.Aliases.UserInfo)
		if err != nil {
			log.Fatal(err)
		}
		defer answer.Body.Close()
		if err := json.NewDecoder(answer.Body).Decode(&claims); err != nil {
			log.Fatal(err)
		}
	case err != nil:
		log.Fatal(err)
	default:
		if err := person.Claims(&claims); err != nil {
			log.Fatal(err)
		}
	}
	claims["nonce"] = idToken.Nonce
	claims["same"] = idToken.Subject == claims["sub"]
	json.NewEncoder(os.Stdout).Encode(claims)
}
