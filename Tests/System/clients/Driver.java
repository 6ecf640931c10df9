import benji.BenjiServer;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;

/** Does what its arguments say with Clients/java: see Tests/System/dialects/test_server_api.py. */
public final class Driver {
    public static void main(String[] words) throws Exception {
        try {
            if (words[0].equals("event")) {
                String[] headers = words[2].replaceAll("^\\{\"?|\"?\\}$", "").split("\", \"");
                Map<String, Object> event = BenjiServer.readEvent(Arrays.asList(words[1].split(" ")),
                        name -> Arrays.stream(headers).filter(each -> each.startsWith(name + "\": \""))
                                .map(each -> each.substring(name.length() + 4)).findFirst().orElse(null),
                        words[3].getBytes("UTF-8"), Instant.ofEpochSecond(Long.parseLong(words[4])));
                System.out.println("ok " + event.get("id") + " " + event.get("type"));
                return;
            }
            BenjiServer server = new BenjiServer(words[1], words[2], words[3]);
            switch (words[0]) {
                case "redeem" -> {
                    BenjiServer.Login login = server.redeem(words[4], words[5]);
                    System.out.println("ok " + login.number() + " " + login.account() + " " + login.assurance() + " "
                            + login.method() + " " + login.trace());
                }
                case "verify" -> System.out.println("ok " + server.verify(words[4], words[5]));
                default -> {
                    // A second request goes over the same connection.
                    server.app();
                    System.out.println("ok " + server.app().get("id"));
                }
            }
        } catch (BenjiServer.Failure failure) {
            System.out.println("failure " + failure.code + " " + failure.status + " "
                    + (failure.param == null ? "-" : failure.param));
        } catch (BenjiServer.NotOurs refusal) {
            System.out.println("not ours");
        }
    }
}
