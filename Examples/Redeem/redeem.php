<?php
// php redeem.php TOKEN
[$app, $secret, $token] = ["300000000001", "YOUR_SERVER_SECRET", $argv[1]];
$china = new DateTime("now", new DateTimeZone("Asia/Shanghai"));
$body = ["appid" => $app, "version" => "2.0", "msgid" => bin2hex(random_bytes(16)),
         "systemtime" => $china->format("YmdHisv"), "strictcheck" => "0", "token" => $token];
$body["sign"] = md5(implode("", $body) . $secret);
echo file_get_contents("https://api.example/unisdk/rsapi/loginTokenValidate", false, stream_context_create(["http" => [
    "method" => "POST", "header" => "Content-Type: application/json", "content" => json_encode($body)]]));
