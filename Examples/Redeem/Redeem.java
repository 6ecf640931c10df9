// java Redeem.java TOKEN
import java.net.URI;
import java.net.http.*;
import java.security.MessageDigest;
import java.time.*;
import java.time.format.DateTimeFormatter;
import java.util.*;

public class Redeem {
    public static void main(String[] arguments) throws Exception {
        String app = "300000000001", secret = "YOUR_SERVER_SECRET", token = arguments[0];
        String id = UUID.randomUUID().toString().replace("-", "");
        String time = ZonedDateTime.now(ZoneId.of("Asia/Shanghai"))
                .format(DateTimeFormatter.ofPattern("yyyyMMddHHmmssSSS"));
        byte[] text = (app + "2.0" + id + time + "0" + token + secret).getBytes("UTF-8");
        String sign = HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(text));
        String body = String.format("{\"appid\":\"%s\",\"version\":\"2.0\",\"msgid\":\"%s\",\"systemtime\":\"%s\","
                + "\"strictcheck\":\"0\",\"token\":\"%s\",\"sign\":\"%s\"}", app, id, time, token, sign);
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://api.example/unisdk/rsapi/loginTokenValidate"))
                .header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body)).build();
        System.out.println(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body());
    }
}
