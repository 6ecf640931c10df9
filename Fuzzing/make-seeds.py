#!/usr/bin/env python3
"""Writes Fuzzing/Seeds: for each parser a few small inputs that lead to every part of it.

They are in the repository, so this need only run when a format changes. Names and numbers are those of the documents'
examples and of the ranges that are kept for documentation.
"""

import base64
import json
import shutil
import struct
import zlib
from pathlib import Path

SEEDS = Path(__file__).resolve().parent / "Seeds"
TRACE = "0a" * 16
SCRIP = "SCrip" + "a" * 48
NONCE = "SNonc" + "b" * 44
TOKEN = "STsid" + "C" * 51
APP = "300000000001"
HASH = "A" * 43
# The public half of the key that Fuzzing/Targets/SignedStatements.swift signs with: the bytes 1 to 32.
JWK = {"crv": "P-256", "kty": "EC", "x": "UVw9brnjlrkE0_7Kf1T9zQzB6Ze_N13KUVrQpsO0A18",
       "y": "RTa-OlDzGPv5pUdZAqIhUCvvDVfgjFOyzApW8X2fk1Q"}
TERMS = {"termsTitle": "Terms", "termsURL": "https://terms.example/a", "slogan": "Slogan"}
CONTENT = {
    "drawnBy": "benji", "language": "zh-Hans", "policyVersion": "2026-11",
    "texts": [{"role": "number", "text": "{number}"}, {"role": "loginButton", "text": "本机号码一键登录"}],
    "links": [{"title": "Terms", "url": "https://terms.example/a"}], "initiallyTicked": False,
}


def text(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def attribute(kind, value):
    return bytes([kind, len(value) + 2]) + value


def vendor(number, kind, value):
    return attribute(26, struct.pack(">I", number) + attribute(kind, value))


def packet(code, *attributes):
    body = b"".join(attributes)
    return bytes([code, 7]) + struct.pack(">H", 20 + len(body)) + bytes(16) + body


def word(number):
    return struct.pack(">I", number)


def radius():
    start = attribute(40, word(1)) + attribute(44, b"0A0000010000ABCD")
    ports = b"".join(
        attribute(kind, value)
        for kind, value in [(3, bytes([203, 0, 113, 7])), (4, bytes([10, 1, 2, 3])), (8, word(1)), (9, word(1024)),
                            (10, word(2047))])
    return {
        "start": packet(
            4, start, attribute(32, b"pgw-1"), attribute(8, bytes([100, 64, 1, 2])), attribute(31, b"8613800138000"),
            attribute(30, b"cmnet"), attribute(55, word(1_760_000_000)), attribute(33, b"\x01\x02"),
            vendor(10415, 1, b"460001234567890"), vendor(10415, 8, b"46000"), vendor(10415, 18, b"46000"),
            vendor(10415, 21, b"\x06"), vendor(10415, 11, b"\xff")),
        "prefixes": packet(
            4, start, attribute(97, b"\0\x40" + bytes.fromhex("20010db8aaaabb00")),
            attribute(123, b"\0\x3c" + bytes.fromhex("20010db8f0000000")),
            attribute(95, bytes.fromhex("20010db8000000000000000000000001")), attribute(4, bytes([10, 0, 0, 1]))),
        "ports": packet(4, start, attribute(241, b"\x06" + ports), attribute(41, word(4)), attribute(46, word(60))),
        "huawei": packet(
            4, attribute(40, word(2)), vendor(2011, 161, bytes([203, 0, 113, 9])), vendor(2011, 162, word(5000)),
            vendor(2011, 163, word(5999))),
        "interim": packet(4, attribute(40, word(3)), attribute(80, bytes(16)), attribute(44, b"a")),
        "status": packet(12, attribute(80, bytes(16))),
    }


def smpp():
    def pdu(command, body=b"", status=0):
        return struct.pack(">IIII", 16 + len(body), command, status, 7) + body

    def message(octets, kind=0, coding=0, parameters=b""):
        return (
            b"\0" + b"\1\1" + b"8613800138000\0" + b"\3\0" + b"10690\0" + bytes([kind, 0, 0]) + b"\0"
            + b"000000000500000R\0"
            + bytes([1, 0, coding, 0, len(octets)]) + octets + parameters)

    text = b"id:00a1 sub:001 dlvrd:001 submit date:2611250900 done date:2611250901 stat:DELIVRD err:000 text:Code 1"
    named = struct.pack(">HH", 0x1E, 5) + b"00a1\0" + struct.pack(">HH", 0x427, 1) + b"\2"
    # Receipts as vendors write them. Server/Tests/SMPPTests/VendorReceiptTests.swift has the sources.
    failed = b"id:00a1 sub:001 dlvrd:000 submit date:261125090000 done date:261125090100 stat:MK:0001 err: 075"
    network = struct.pack(">HH", 0x423, 3) + b"\3\0\x1b"
    data = b"\0" + b"\1\1" + b"8613800138000\0" + b"\3\0" + b"10690\0" + b"\4\0\0"
    payload = struct.pack(">HH", 0x424, 2) + b"Hi"
    bind = b"benji\0secret08\0otp\0\x34\0\0\0"
    return {
        "session": b"\x10" + pdu(0x80000009, b"SMSC\0" + struct.pack(">HHB", 0x210, 1, 0x34)) + pdu(0x15)
        + pdu(0x80000004, b"00a1\0") + pdu(0x80000004, status=0x58) + pdu(0x80000015) + pdu(0x80000000, status=3)
        + pdu(6) + pdu(0x80000006) + pdu(0x80000005, b"\0") + pdu(0x103, b"other"),
        "binds": b"\x07" + pdu(1, bind) + pdu(2, bind) + pdu(9, bind) + pdu(0x80000001) + pdu(0x80000002, b"SMSC\0"),
        "submit": b"\xff" + pdu(4, message(b"Code 123456")),
        "receipt": b"\xff" + pdu(5, message(text, 4)),
        "named": b"\xff" + pdu(5, message(b"", 4, parameters=named)),
        "payload": b"\x01" + pdu(5, message(b"", parameters=payload)),
        "failed": b"\xff" + pdu(5, message(failed, 4)),
        "wide": b"\xff" + pdu(5, message(b"".join(bytes([0, octet]) for octet in failed), 4, coding=8)),
        "bare": b"\xff" + pdu(5, message(text.replace(b"stat:", b""), 0)) + pdu(5, message(text, 0x20)),
        "header": b"\xff" + pdu(5, message(b"\5\0\3\1\1\1" + text, 0x44)),
        "data": b"\x10" + pdu(0x103, data + named + network)
        + pdu(0x103, data + struct.pack(">HH", 0x424, len(text)) + text) + pdu(0x80000103, b"\0"),
        "lenient": b"\x10" + pdu(0x80000009, b"SMSC") + pdu(0x80000004, b"00a1") + pdu(0x80000015, b"\0")
        + pdu(5, message(text, 4, parameters=b"\0" + named + b"\1\2")) + pdu(0x80000005, b"00a1\0"),
        "chinese": b"\xff" + pdu(5, message("退订".encode("utf-16-be"), coding=8)),
        "latin": b"\xff" + pdu(5, message(b"\xe9", coding=3)) + pdu(5, message(b"TD", coding=1)),
        "part": b"\xff" + pdu(5, message(b"\5\0\3\1\2\1Hi", 0x40)),
        "septets": b"\0" + ("a" * 152 + "€" * 5).encode(),
        "units": b"\0" + ("验" * 66 + "😀" * 3).encode(),
        "length": b"\0\0\0\x20\1",
    }


def proxy():
    signature = b"\r\n\r\n\0\r\nQUIT\n"
    v4 = bytes([192, 0, 2, 7, 192, 0, 2, 1]) + struct.pack(">HH", 5000, 443)
    v6 = bytes.fromhex("20010db8" + "0" * 23 + "1" + "20010db8" + "0" * 23 + "2") + struct.pack(">HH", 5000, 443)
    return {
        "tcp4": b"PROXY TCP4 192.0.2.7 192.0.2.1 5000 443\r\nGET",
        "tcp6": b"PROXY TCP6 2001:db8::7 2001:db8::1 5000 443\r\n",
        "unknown": b"PROXY UNKNOWN\r\n",
        "none": b"GET / HTTP/1.1\r\n",
        "binary4": signature + b"\x21\x11" + struct.pack(">H", len(v4)) + v4 + b"GET",
        "binary6": signature + b"\x21\x21" + struct.pack(">H", len(v6) + 4) + v6 + b"\x04\0\x01\0",
        "local": signature + b"\x20\0\0\0",
    }


def journal():
    key = struct.pack("<III", 1, 2, 3)
    scope = struct.pack("<H", 5) + b"pgw-1"
    state = (
        b"\x01" + key + scope + struct.pack("<qiiqIQBIIB", 42, 1, 1, 9, 0x64400102, 0x20010DB8AAAABB00, 64, 100, 200, 1)
        + struct.pack("<H", 1) + struct.pack("<III", 5, 6, 7)
        + struct.pack("<H", 1) + struct.pack("<IHHI", 0xCB007107, 1024, 2047, 150))
    payloads = [b"\0" + struct.pack("<q", 1_760_000_000_000), state, b"\x02" + key + struct.pack("<I", 300),
                b"\x03" + scope + struct.pack("<I", 400), b"\x07" + scope + struct.pack("<I", 350)]
    framed = b"BENJIGW3" + b"".join(
        struct.pack("<II", len(payload), zlib.crc32(payload)) + payload for payload in payloads)
    return {
        "whole": b"\0\0\x30" + framed,
        "torn": b"\0\0\x09" + framed[:-7],
        "payloads": b"\x01\0\x20" + b"".join(bytes([len(payload)]) + payload for payload in payloads),
        "state": b"\x01\0\x08" + bytes([len(state)]) + state,
    }


def http1():
    return {
        "length": b"\0\0\x20HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: application/json\r\n\r\n{}",
        "chunked": b"\0\0\x40HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nA: "
                   b"b\r\n\r\n",
        "close": b"\0\0\x12HTTP/1.0 404 Not Found\r\nX: y\r\n\r\ngone",
        "empty": b"\0\0\x08HTTP/1.1 204\r\n\r\n",
        "interim": b"\0\0\x1cHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
        "head": b"\x01\0\x10HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n",
        "limits": b"\x02\0\x10HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n0123456789abcdef",
    }


def json_text():
    return {
        "object": b'{"a":1,"b":[true,false,null],"c":{"d":"e"}}',
        "array": b'[1, -0.5e+10, "x"]',
        "escapes": '["\\u00e9\\n\\"\\\\\\/\\ud83d\\ude00", "é"]'.encode(),
        "number": b" -12.25E-3 ",
        "deep": b"[" * 20 + b"]" * 20,
    }


def messages():
    lifetimes = {"device": {"scripSeconds": 3600, "scripReusable": True, "tokenSeconds": 120}}
    return {
        "prefetch": text({"app": APP, "bundle": "com.example.app", "appKeyProof": HASH, "dialect": "device"}),
        "prefetched": text({
            "code": "success", "trace": TRACE, "scrip": SCRIP, "scripLifetime": 3600, "maskedNumber": "138****0000",
            "carrier": "mobile", "policyVersion": "2026-11", "page": TERMS, "nonce": NONCE, "assurance": "net",
            "serverTime": 1_790_000_000_123}),
        "authorize": text({"app": APP, "scrip": SCRIP, "purpose": "login", "consent": "a.b.c"}),
        "authorized": text({
            "code": "success", "trace": TRACE, "token": TOKEN, "tokenLifetime": 120, "openId": "o", "scrip": SCRIP,
            "nonce": NONCE, "assurance": "net+app", "consentReceipt": "r"}),
        "forget": text({"app": APP, "scrip": SCRIP}),
        "failure": text({"code": "clockSkew", "detail": "iat is 300 s behind", "trace": TRACE, "serverTime": 5}),
        "policy": text({
            "version": "2026-11", "unusedTokens": {"perApp": 10, "perNumber": 100, "windowSeconds": 60},
            "carriers": {"mobile": {"enabled": True, "page": TERMS, "lifetimes": lifetimes}}}),
        "content": text(CONTENT),
        "key": text(JWK),
    }


def signed():
    def pair(header, payload):
        return b"\x01" + text({"alg": "ES256", **header}) + b"\n" + text(payload)

    def part(data):
        return base64.urlsafe_b64encode(data).rstrip(b"=")

    proof = {"jti": "0123456789abcdef", "htm": "POST", "htu": "https://gateway.example/device/v1/prefetch",
             "iat": 1_790_000_000, "bh": HASH, "la": "100.64.1.2"}
    times = {"shownAt": 1_790_000_000_000, "tickedAt": 1_790_000_001_000, "tappedAt": 1_790_000_002_000}
    return {
        "proof": pair({"typ": "dpop+jwt", "jwk": JWK}, proof),
        "consent": pair({"typ": "benji-consent+jwt"}, {
            "app": APP, "trace": TRACE, "scripHash": HASH, "nonceHash": HASH, "content": CONTENT, "contentDigest": HASH,
            "sceneDigest": HASH, **times}),
        "attestation": pair({"typ": "oauth-client-attestation+jwt"}, {
            "sub": APP, "bundle": "com.example.app", "exp": 1_790_000_000, "cnf": {"jkt": HASH}}),
        "raw": b"\0" + b".".join([part(b'{"alg":"ES256","typ":"dpop+jwt"}'), part(text(proof)), part(bytes(64))]),
    }


def values():
    texts = {
        "v4": "192.0.2.7", "v6": "2001:db8::7", "mapped": "::ffff:192.0.2.7", "full": "2001:db8:1:2:3:4:5:6",
        "prefix4": "10.0.0.0/8", "prefix6": "2001:db8::/32", "national": "13800138000", "plus": "+8613800138000",
        "zeros": "0044207946000", "base64url": "AQIDBAUG-_8", "hexadecimal": "00fF10", "trace": TRACE, "app": APP,
        "token": TOKEN, "scrip": SCRIP, "nonce": NONCE,
    }
    return {name: value.encode() for name, value in texts.items()}


def addresses():
    texts = {
        "plain": "https://gateway.example/device/v1\n/prefetch", "port": "http://gateway.example:8080/a?b=c\n/x",
        "v4": "http://192.0.2.7:80/", "v6": "https://[2001:db8::7]:8443/a%20b\n/c?d", "case": "HTTPS://Gateway.Example",
        "user": "https://a@gateway.example/",
    }
    return {name: value.encode() for name, value in texts.items()}


def cmpassport():
    return {
        "login": text({
            "appid": APP, "version": "2.0", "msgid": "335e06a28f064b999d6a25e403991e4c",
            "systemtime": "20180129112955435", "strictcheck": "0", "token": TOKEN, "sign": "0" * 32}),
        "rsa": text({
            "appid": int(APP), "version": "2.0", "msgid": "335e06a2-8f06-4b99-9d6a-25e403991e4c",
            "systemtime": "20180129112955435", "strictcheck": 1, "token": TOKEN, "sign": "0a",
            "encryptionalgorithm": "RSA"}),
        "verification": text({
            "header": {"appId": APP, "version": "1.0", "msgId": "f11585580266414fbde9f755451fb7a7",
                       "timestamp": "20180129105523519"},
            "body": {"openType": "1", "requesterType": "0", "phoneNum": "0aF1" * 16, "token": TOKEN, "sign": "0" * 64,
                     "message": "m", "expandParams": "e", "keyType": "0"}}),
        "user": text({
            "header": {"strictcheck": "0", "version": "1.0", "msgid": "4d1953f426a14b2ba9edd07b269cea70",
                       "systemtime": "20171109145619809", "appid": APP, "apptype": "5",
                       "sourceid": "800120170818101447", "ssotosourceid": "800120170714100001", "sign": "00"},
            "body": {"token": TOKEN}}),
        "time": b"20240229235959999",
    }


def vendors():
    process = {"process_id": TRACE, "timestamp": "1542355862990", "sign": "0a" * 32}
    geyan = {"appId": "oCRdOzLa9S8Jyf3hVbpYa5", "gyuid": "GY_1", "token": TOKEN, "processId": TRACE}
    return {
        "check-phone": text({**process, "token": TOKEN, "is_phone_encode": True, "authcode": ""}),
        "check-phone-numbers": text({
            **process, "token": TOKEN, "timestamp": 1542355862990, "is_phone_encode": 0, "app_id": APP}),
        "check-gateway": text({**process, "accesscode": TOKEN, "phone": "+8613800138000"}),
        "unsigned": text(geyan),
        "signed": text({**geyan, "timestamp": 1542355862990, "sign": "0A" * 32, "empty": "", "nothing": None}),
        "nested": text({**geyan, "more": {"a": [1]}, "sign": "00"}),
    }


def pages():
    """The first four bytes choose screen, carrier and language."""
    golden = Path(__file__).resolve().parents[1] / "Tests/BenjiPageTests/Golden"
    place = {"portrait": {"top": 30, "left": 10}, "landscape": {"center": -5.5}, "width": 120, "height": 40}
    terms = {"items": [{"title": "《隐私政策》", "url": "https://app.example/privacy", "index": -1}],
             "words": ["By ", {"zh-Hans": "和", "en": " and "}, ", ", "."], "font": {"size": 14}}
    return {
        "usual": b"\x01\x2e\x5e\x00" + text(json.loads((golden / "usual-page.json").read_text())),
        "changed": b"\x32\x5e\x2e\x01" + text(json.loads((golden / "changed-page.json").read_text())),
        "popup": b"\x15\x2e\x5e\x02" + text({"popup": {"position": "bottom", "placement": place}, "terms": terms}),
        "dialog": b"\x24\x10\x20\x00" + text({"consentDialog": {"atBottom": True}, "logo": {"placement": place}}),
        "not-json": b"\x00\x2e\x5e\x00" + b'{"logo":{"size":01}}',
        "not-a-page": b"\x00\x2e\x5e\x00" + b'{"logo":{"size":1}}',
    }


def face_messages():
    def token(prefix, length=53):
        return prefix + "d" * (length - len(prefix))

    app, session, access, refresh = (token(prefix) for prefix in ["SAppT", "SFace", "SAcce", "SRefr"])
    challenge = "e" * 32
    terms = {"version": "1", "title": "Terms", "url": "https://terms.example/face"}
    step = {"prompt": "turnLeft", "hint": "closer", "done": 1, "count": 3}
    grant = {"accessToken": access, "accessTokenLifetime": 3600, "refreshToken": refresh, "refreshTokenLifetime": 86400}
    user = {"name": "n", "email": "e@example.org", "avatar": "https://a.example/x.png", "phone": "+8613800138000",
            "other": {"a": [1, "b"]}}
    known = {"openId": "o", "uid": "u", "randomUid": True, "userInfo": user}
    pictures = [b"\xff\xd8\xff", b"\x89PNG"]
    head = text({"session": session, "challenge": challenge,
                 "frames": [{"at": 40 * index, "bytes": len(data)} for index, data in enumerate(pictures)]})
    return {
        "frames": struct.pack(">I", len(head)) + head + b"".join(pictures),
        "app-token": text({"app": APP, "bundle": "com.example.app", "appKeyProof": HASH}),
        "app-token-answer": text({"appToken": app, "appTokenLifetime": 3600, "attributes": ["smiling", "age"],
                                  "serverTime": 1_790_000_000_123}),
        "begin": text({"appToken": app, "purpose": "login", "token": TOKEN, "uid": "u", "phone": "13800138000",
                       "language": "zh-Hans"}),
        "begin-remembered": text({"appToken": app, "purpose": "verify", "accessToken": access, "language": "en"}),
        "begun": text({"trace": TRACE, "session": session, "sessionLifetime": 600, "newAccount": True,
                       "maskedNumber": "138****0000", "needs": ["consent", "face", "profile", "authorization"],
                       "terms": terms, "authorization": {"version": "1", "appName": "Shop"},
                       "groups": {"version": "1", "appName": "Shop"}, "nonce": NONCE, "serverTime": 5}),
        "consent": text({"session": session, "consent": "a.b.c"}),
        "challenge": text({"session": session}),
        "challenged": text({"challenge": challenge, "step": step, "lifetime": 30, "pace": 100, "framesPerRequest": 8,
                            "bytesPerFrame": 200000, "attemptsLeft": 2}),
        "more": text({"state": "more", "step": step}),
        "passed": text({"state": "passed", "attributes": {"age": 26.85, "smiling": {"result": 1, "score": 0.5}}}),
        "failed": text({"state": "failed", "situation": "faceDiffers", "sentence": "another", "attemptsLeft": 0}),
        "finish": text({"session": session, "name": "n", "avatar": "AQID", "authorization": "a.b.c", "groups": "a.b.c",
                        "remembered": token("SReme"), "userInfo": user}),
        "finished": text({"trace": TRACE, "grant": grant, "remembered": token("SReme"),
                          "authorizationCode": token("SCode"), **known}),
        "access": text({"appToken": app, "accessToken": access}),
        "renew": text({"appToken": app, "refreshToken": refresh}),
        "renewed": text({"grant": grant}),
        "uid": text({"appToken": app, "accessToken": access, "uid": "u"}),
        "user-info": text({"appToken": app, "accessToken": access, "userInfo": user}),
        "state": text({"appToken": app, "uid": "u"}),
        "states": text({"authorized": True, "erased": False}),
        "user": text(known),
        "search-begin": text({"appToken": app, "group": "staff"}),
        "search-begun": text({"trace": TRACE, "session": session, "sessionLifetime": 60, "terms": terms, "nonce": NONCE,
                              "serverTime": 5}),
        "searched": text({"trace": TRACE, "candidate": "o"}),
    }


def web():
    login = ("redirect_uri=https%3A%2F%2Fshop.example%2Fback&response_type=code&state=s%20t&nonce=n&code_challenge="
             + HASH + "&code_challenge_method=S256&scope=")
    sent = {"app_id": APP, "timestamp": "1790000000", "noncestr": "a1b2", "signature": "0" * 32, "name": "staff & more"}
    number = {"phoneNumber": "+8614700000000"}
    return {
        "form": b"\1a=b+c&d=%e4%b8%ad&e&=f",
        "login": b"\1" + (login + "openid+phone&prompt=login&max_age=60&ui_locales=zh+en").encode(),
        "silent": b"\1" + (login + "openid+sim-swap%3Acheck+dpv%3AFraudPreventionAndDetection").encode(),
        "superid": b"\1"
        + "&".join(f"{name}={value.replace(' ', '+').replace('&', '%26')}" for name, value in sent.items()).encode(),
        "superid-json": b"\0" + text({**sent, "count": 3}),
        "claims": b"\0"
        + text({"iss": APP, "aud": ["https://benji.example"], "exp": 1_790_000_200, "iat": 1_790_000_000,
                                "nbf": 1_790_000_000, "jti": "j"}),
        "number": b"\0" + text(number),
        "hash": b"\0" + text({"hashedPhoneNumber": "0" * 64}),
        "swap": b"\0" + text({**number, "maxAge": 240}),
        "h5": b"\0" + text({"version": "1.0", "appId": APP, "businessType": "3", "msgId": "a" * 32, "traceId": "b" * 32,
                            "timestamp": "20180129112955435", "sign": "0" * 32}),
    }


def link():
    subscription = {"subscription": 7, "epoch": 1, "simGeneration": 2}
    sighting = {**subscription, "carrier": "mobile", "binding": -5, "gateway": "gateway-1", "time": 1_790_000_000_000,
                "localAddressConfirmed": False, "roaming": True, "fence": 3}
    request = {"method": "POST", "target": "/device/v1/prefetch", "authority": "gw.example",
               "headers": [["content-type", "application/json"], ["dpop", "a.b.c"]], "baseURLs": ["https://gw.example"],
               "address": "100.64.1.2", "port": 40001}
    answer = {"status": 200, "headers": [["set-cookie", "a=1"]], "code": "success", "trace": TRACE,
              "isUnable": False}

    def framed(head, body):
        return struct.pack(">I", len(text(head))) + text(head) + body
    observation = {"number": "+8614700000000", "imsi": "460001234567890", "carrier": "mobile",
                   "eventTime": 1_790_000_000_000,
                   "startsSession": True}
    standing = {"owner": "gateway-1", "fence": 3, "sequence": 40, "forgottenUntil": 9}
    entries = [["AQID", "BAUG", 0], ["AQI", "", 1]]
    return {
        # The heads stand for their messages, too.
        "seen": text(request | {"sighting": sighting}),
        "unseen": text(request | {"sightingRefusal": "unknownAddress"}),
        "unsighted": framed(request, b"\0\xff{}"),
        "answered": text(answer),
        "page": framed(answer, b"<html>"),
        "observations": text({"observations": [observation, {**observation, "startsSession": False}]}),
        "subscriptions": text({"subscriptions": [subscription, None]}),
        "revocations": text({"bindings": [-9223372036854775808, 5]}),
        "erased": text({"subscriptions": [7, 8]}),
        "question": text({"after": 40}),
        "statement": text({"fence": 3, "after": 40, "entries": entries}),
        "recorded": text({"recorded": 41}),
        "overtaken": text({"overtaken": 41}),
        "standing": text(standing),
        "news": text({"standing": standing, "readUntil": 40, "entries": entries}),
        "answer": text({"answer": {"code": "success"}}),
        "store-error": text({"storeError": {"code": "unavailable", "detail": "locked"}}),
    }


def segment(mark, content):
    return bytes([0xFF, mark]) + struct.pack(">H", len(content) + 2) + content


def jpeg(kind, components, sides, data, scans=1, before=b""):
    """A picture of one grey: every block has its mean from the block before, in one bit, and nothing else, in
    another."""
    width, height = sides
    frame = struct.pack(">BHHB", 8, height, width, len(components)) + b"".join(
        bytes([number + 1, sampling, 0]) for number, sampling in enumerate(components))
    tables = b"".join(segment(0xC4, bytes([table, 1]) + bytes(15) + b"\0") for table in (0x00, 0x10))
    last = 0 if kind == 0xC2 else 63
    scan = segment(0xDA, bytes([len(components)]) + b"".join(bytes([n + 1, 0]) for n in range(len(components)))
                   + bytes([0, last, 0])) + data
    return (b"\xff\xd8" + before + segment(0xDB, b"\0" + b"\1" * 64) + segment(kind, frame) + tables + scan * scans
            + b"\xff\xd9")


def exif(orientation, order=">"):
    mark = b"MM" if order == ">" else b"II"
    return mark + struct.pack(order + "HIHHHIHHI", 42, 8, 1, 0x0112, 3, 1, orientation, 0, 0)


def png(width, height, color, row, depth=8, chunks=b"", interlaced=0):
    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
    extra = b"".join(chunk(*one) for one in chunks)
    return (b"\x89PNG\r\n\x1a\n"
            + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, interlaced))
            + extra + chunk(b"IDAT", zlib.compress((b"\0" + row) * height)) + chunk(b"IEND", b""))


def faces():
    app1 = segment(0xE1, b"Exif\0\0" + exif(6))
    return {
        "baseline": jpeg(0xC0, [0x11], (24, 16), bytes(2)),
        "colour": jpeg(0xC0, [0x22, 0x11, 0x11], (40, 24), bytes(12), before=app1),
        "progressive": jpeg(0xC2, [0x11], (32, 32), bytes(2), scans=3),
        "scans": jpeg(0xC2, [0x11], (32, 32), bytes(2), scans=65),
        "wide": jpeg(0xC0, [0x11], (800, 200), bytes(700)),
        "cmyk": jpeg(0xC0, [0x11] * 4, (16, 16), bytes(8)),
        "cut": jpeg(0xC0, [0x11], (24, 16), b"")[:-2],
        "rgb": png(12, 8, 2, bytes(range(36)), chunks=[(b"eXIf", exif(5, "<"))]),
        "grey": png(250, 100, 0, bytes(range(250))),
        "alpha": png(8, 8, 6, bytes(range(32)), chunks=[(b"gAMA", struct.pack(">I", 45455))]),
        "palette": png(8, 8, 3, bytes([0x1B] * 2), depth=2, chunks=[(b"PLTE", bytes(range(12))), (b"tRNS", b"\0\x80")]),
        "animated": png(8, 8, 2, bytes(24), chunks=[(b"acTL", struct.pack(">II", 2, 0))]),
        "sixteen": png(8, 8, 2, bytes(48), depth=16),
        "interlaced": png(8, 8, 2, bytes(24), interlaced=1),
        "other": b"GIF89a" + bytes(20),
    }


def app_attest():
    def head(kind, length):
        return bytes([kind << 5 | length]) if length < 24 else bytes(
            [kind << 5 | 24, length]) if length < 256 else struct.pack(">BH", kind << 5 | 25, length)

    def name(value):
        return head(3, len(value)) + value

    def octets(value):
        return head(2, len(value)) + value

    data = bytes(32) + b"\x40" + bytes(4)
    credential = data + b"appattest" + bytes(7) + struct.pack(">H", 32) + bytes(range(32)) + b"\xa5\x01\x02"
    chain = head(4, 2) + octets(b"leaf" * 70) + octets(b"middle")
    statement = head(5, 2) + name(b"x5c") + chain + name(b"receipt") + octets(b"receipt" * 5)
    key = base64.urlsafe_b64encode(bytes(32)).decode().rstrip("=")
    return {
        "attestation": head(5, 3) + name(b"fmt") + name(b"apple-appattest") + name(b"attStmt") + statement
        + name(b"authData")
        + octets(credential),
        "assertion": head(5, 2) + name(b"signature") + octets(b"\x30\x06\x02\x01\x01\x02\x01\x01") + name(
            b"authenticatorData") + octets(data),
        "data": credential,
        "header": f"apple-appattest.{key}.challenge.AAAA".encode(),
        "registration": text({"app": APP, "bundle": "com.example.shop", "appKeyProof": HASH,
                              "format": "apple-appattest", "key": key,
                              "challenge": "challenge", "evidence": "AAAA"}),
    }


ALL = {
    "AppAttestObjects": app_attest,
    "RADIUSPacket": radius, "SMPPPDU": smpp, "ProxyProtocol": proxy, "Journal": journal, "HTTP1Response": http1,
    "JSONText": json_text,
    "DeviceMessages": messages, "SignedStatements": signed, "Values": values, "ServerAddress": addresses,
    "CMPassportRequests": cmpassport, "VendorRequests": vendors, "PageDescriptions": pages,
    "FaceImages": faces, "FaceMessages": face_messages, "WebRequests": web,
    "LinkMessages": link,
}

if __name__ == "__main__":
    shutil.rmtree(SEEDS, ignore_errors=True)
    for name, make in ALL.items():
        (SEEDS / name).mkdir(parents=True)
        for seed, data in make().items():
            (SEEDS / name / seed).write_bytes(data)
