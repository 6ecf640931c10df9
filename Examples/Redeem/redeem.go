// go run redeem.go TOKEN
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
    app, secret, token := "300000000001", "YOUR_SERVER_SECRET", os.Args[1]
    random := make([]byte, 16)
    rand.Read(random)
    id := fmt.Sprintf("%x", random)
    now := time.Now().In(time.FixedZone("China", 8*3600)).Format("20060102150405.000")
    at := strings.Replace(now, ".", "", 1)
    sign := fmt.Sprintf("%x", md5.Sum([]byte(app+"2.0"+id+at+"0"+token+secret)))
    body, _ := json.Marshal(map[string]string{"appid": app, "version": "2.0", "msgid": id, "systemtime": at,
        "strictcheck": "0", "token": token, "sign": sign})
    answer, err := http.Post("https://api.example/unisdk/rsapi/loginTokenValidate", "application/json", bytes.NewReader(body))
    if err != nil {
        panic(err)
    }
    text, _ := io.ReadAll(answer.Body)
    fmt.Println(string(text))
}
