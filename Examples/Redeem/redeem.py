import datetime, hashlib, json, sys, urllib.request, uuid

app, secret = "300000000001", "YOUR_SERVER_SECRET"
token = sys.argv[1]
china = datetime.datetime.now(datetime.timezone(datetime.timedelta(hours=8)))
body = {"appid": app, "version": "2.0", "msgid": uuid.uuid4().hex,
        "systemtime": f"{china:%Y%m%d%H%M%S}{china.microsecond // 1000:03}", "strictcheck": "0", "token": token}
body["sign"] = hashlib.md5(("".join(body.values()) + secret).encode()).hexdigest()
request = urllib.request.Request("https://api.example/unisdk/rsapi/loginTokenValidate",
                                 json.dumps(body).encode(), {"Content-Type": "application/json"})
print(json.load(urllib.request.urlopen(request)))
