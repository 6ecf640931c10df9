import Administration
import BenjiPage
import Store

/// The words of the pages about the installation.
extension ConsoleStrings {
    /// Why a packet made no phone known, by the reason's name in `benji_gateway_feed_faults_total`.
    static func fault(_ reason: String) -> LocalizedText { faults[reason] ?? LocalizedText(reason) }

    /// A part of where a policy came from: words of ours in the page's language, names of machines and files as they
    /// are.
    static func policyOrigin(_ part: String) -> LocalizedText {
        switch part {
        case PolicyRecord.carriedAlong: LocalizedText("随软件附带的策略", part)
        case PolicyRecord.unnamedMachine: LocalizedText("本机器", part)
        default: LocalizedText(part)
        }
    }

    private static let faults: [String: LocalizedText] = [
        "bad_authenticator": LocalizedText("密钥不符", "wrong secret"),
        "malformed": LocalizedText("格式错误", "breaks the protocol's rules"),
        "invalid": LocalizedText("内容不完整或有误", "does not say what it must"),
        "unexpected_code": LocalizedText("不是计费请求", "not an accounting request"),
        "in_progress": LocalizedText("同一报文正在处理", "the same packet is being processed"),
        "rate_limited": LocalizedText("超过每秒上限", "more than its limit a second"),
        "outside_pools": LocalizedText("地址不在它的地址池", "an address outside its pools"),
        "clock": LocalizedText("时间超前", "dated ahead of our clock"),
        "no_event_timestamp": LocalizedText("没有 Event-Timestamp", "without Event-Timestamp"),
        "proxy_loop": LocalizedText("代理成环", "a loop of proxies"),
        "full": LocalizedText("超过会话总数上限", "more sessions than the limit"),
        "shed": LocalizedText("队列已满", "the queue was full"),
        "unavailable": LocalizedText("网关暂时不能处理", "the gateway could not process it"),
        "no_number": LocalizedText("没有 Calling-Station-Id", "without Calling-Station-Id"),
        "unusable_number": LocalizedText("号码不是手机号码", "not a mobile number"),
        "excluded_number": LocalizedText("号码按配置不能登录", "a number that the settings exclude"),
        "not_registered": LocalizedText("号码登记在其他运营商或更新的 SIM 卡", "a number of another carrier or a newer SIM"),
        "no_address": LocalizedText("没有 IP 地址", "without an IP address"),
        "no_session": LocalizedText("NAT 报告的地址没有会话", "a NAT's report without a session"),
        "undated": LocalizedText("已应答，但没有 Event-Timestamp", "answered, without Event-Timestamp"),
        "clock_behind": LocalizedText("时间落后", "dated behind our clock"),
        "other_status": LocalizedText("与会话无关", "about no session"),
        "certificate_expired": LocalizedText("证书不在有效期内", "its certificate is not valid now"),
    ]

    static let installation: [String: LocalizedText] = [
        "installation": LocalizedText("部署", "Installation"),
        // The tabs.
        "feeds": LocalizedText("计费来源", "Feeds"),
        "numbers": LocalizedText("号码", "Numbers"),
        "policy": LocalizedText("策略", "Policy"),
        // Feeds.
        "health": LocalizedText("健康", "Health"),
        "healthNote": LocalizedText(
            "就绪检查（/health/ready）此刻的结果。", "What /health/ready finds at this moment."),
        "ready": LocalizedText("就绪", "ready"),
        "notReady": LocalizedText("未就绪", "not ready"),
        "check": LocalizedText("检查", "Check"),
        "works": LocalizedText("正常", "works"),
        "fails": LocalizedText("故障", "fails"),
        "toLookAfter": LocalizedText("需要处理", "Problem"),
        "accounting": LocalizedText("RADIUS 计费来源", "RADIUS feeds"),
        "accountingNote": LocalizedText(
            "从本进程启动起计数。未知来源和内核丢弃的报文不属于任何 NAS，见指标 benji_gateway_accounting_packets_total。",
            "Counted since this process began. Packets of strangers, and those that the kernel dropped, are no NAS's; "
                + "benji_gateway_accounting_packets_total has them."
        ),
        "feed-heard": LocalizedText("正常", "working"),
        "feed-unheard": LocalizedText("尚未收到", "nothing yet"),
        "quality": LocalizedText("质量", "Quality"),
        "feed-in-time": LocalizedText("时钟一致", "clock agrees"),
        "feed-ahead": LocalizedText("时钟超前", "clock ahead"),
        "feed-behind": LocalizedText("时钟落后", "clock behind"),
        "feed-unconfirmed": LocalizedText("个会话未按时确认", "sessions not confirmed in time"),
        "feed-stop_without_start": LocalizedText("个结束报文缺少开始报文", "Stops without a Start"),
        "feed-session_without_start": LocalizedText("个会话缺少开始报文", "sessions without a Start"),
        "feed-delayed": LocalizedText("个报文重发或迟到", "packets sent again or late"),
        "feed-silent": LocalizedText("长时间无报文", "silent"),
        "lastPacket": LocalizedText("最近的报文", "Last packet"),
        "takenPackets": LocalizedText("已接收", "Taken"),
        "faultyPackets": LocalizedText("认不出手机", "No phone known"),
        "sessions": LocalizedText("会话", "Sessions"),
        "noFeeds": LocalizedText("没有配置 NAS，认不出任何手机：", "No NAS is configured, so no phone can be recognised:"),
        "feedsElsewhere": LocalizedText(
            "网关在其他进程里运行。查看哪个网关在应答，以及每个网关的就绪检查（地址是该网关配置里的 listen.admin）：",
            "Gateways run in other processes. See which of them answer, and what each says of itself (at the "
                + "listen.admin of its configuration):"
        ),
        // Sessions.
        "lookUpAddress": LocalizedText("查找地址", "Look an address up"),
        "lookUpAddressNote": LocalizedText(
            "说明哪个会话占用这个地址，以及从那里登录为什么失败。经 NAT 共用的地址请填连接的源端口。每次查找都写入审计日志；结果不含号码。",
            "It says which session holds the address, and why a login from there fails. Where a NAT shares the "
                + "address, give the connection's source port. Each look is in the audit log, and the answer has no "
                + "number."
        ),
        "address": LocalizedText("IP 地址", "IP address"),
        "sourcePort": LocalizedText("源端口", "Source port"),
        "optional": LocalizedText("可不填", "optional"),
        "noSession": LocalizedText("没有会话占用这个地址", "No session holds this address"),
        "noSessionNote": LocalizedText(
            "从那里登录会被拒绝。请确认它是网关看到的手机地址，并确认它的 NAS 发送了开始报文。",
            "A login from there is refused. Is it the phone's address as the gateway sees it, and did its NAS send the "
                + "Start?"
        ),
        "sessionsElsewhere": LocalizedText(
            "网关在其他进程里运行，这里查不到会话。角色为 all 的服务器可以查：",
            "Gateways run in other processes, so no session is known here. A server whose role is all answers:"),
        "loginFromThere": LocalizedText("从那里登录", "A login from there"),
        "loginGood": LocalizedText("会成功", "is good"),
        "domain": LocalizedText("地址域", "ip-domain"),
        "ports": LocalizedText("端口", "Ports"),
        "roaming": LocalizedText("漫游", "Roaming"),
        "roams": LocalizedText("是", "yes"),
        "sessionSince": LocalizedText("会话始于", "Since"),
        "lastHeard": LocalizedText("最近的消息", "Last heard of"),
        "noRow": LocalizedText("没有登记", "none in the register"),
        "doubt-stale": LocalizedText("超过租期没有消息", "nothing was heard of it for longer than its lease"),
        "doubt-contested": LocalizedText("两个会话都称占用这个地址", "two sessions claim the address"),
        "doubt-suspended": LocalizedText(
            "正在写入一条可能收回这个地址的消息", "news that may take the address away is being written down"),
        "doubt-unsaved": LocalizedText("最近的变化没能写入日志文件", "its last change could not be written to the journal"),
        "doubt-doubted": LocalizedText(
            "收到过可能收回地址的消息，之后会话没有新消息",
            "something was heard that may have taken its address away, and nothing newer of the session"),
        "doubt-missed": LocalizedText(
            "可能漏掉了它的消息；再次收到消息后恢复", "news of it may have been lost; it is believed again when it is heard of"),
        "doubt-silent": LocalizedText("它的 NAS 长时间没有消息", "its NAS says nothing for longer than it may"),
        "doubt-unsupported": LocalizedText("号码不能登录，或未知", "its number cannot log in, or is not known"),
        // Numbers.
        "lookUp": LocalizedText("查找号码", "Look a number up"),
        "lookUpNote": LocalizedText(
            "每次查找都写入审计日志。结果中的号码是掩码；号码不会出现在地址里。",
            "Each look is in the audit log. The answer shows the number masked, and no address ever has one."),
        "number": LocalizedText("手机号", "Number"),
        "register": LocalizedText("登记", "In the register"),
        "maskedNumber": LocalizedText("号码", "Number"),
        "subscription": LocalizedText("登记编号", "Subscription"),
        "carrier": LocalizedText("运营商", "Carrier"),
        "holderSince": LocalizedText("持有人始于", "Holder since"),
        "simSince": LocalizedText("SIM 始于", "SIM since"),
        "lastSeen": LocalizedText("最近出现", "Last seen"),
        "changeNumber": LocalizedText("变更", "Change"),
        "reassign": LocalizedText("号码已换持有人", "It has another holder now"),
        "reassignNote": LocalizedText(
            "原持有人的全部凭证立即失效，每个应用都会看到一个新用户。",
            "Everything that the former holder has ends at once, and every app sees a new person."),
        "port": LocalizedText("号码已携转", "It moved to another carrier"),
        "portNote": LocalizedText(
            "用户对每个应用仍是同一个人；之前取得的凭证失效。",
            "The person stays the same to every app; what was earned before ends."),
        "moreOfNumber": LocalizedText(
            "导出或销毁一个号码持有人的全部数据，在这台机器上做：", "To export or erase all that is kept of a person, on this machine:"),
        // Policy.
        "policyInForce": LocalizedText("现行策略", "Policy in force"),
        "formerPolicy": LocalizedText("以前的策略", "Former policy"),
        "policyHistory": LocalizedText("历史", "History"),
        "digest": LocalizedText("摘要", "Digest"),
        "held": LocalizedText("生效时间（UTC+8）", "In force (UTC+8)"),
        "now": LocalizedText("现在", "now"),
        "startedBy": LocalizedText("由谁启用", "Started by"),
        "downloadPolicy": LocalizedText("下载", "Download it"),
        "goingBack": LocalizedText("换回此策略会改变：", "Going back to it would change:"),
        "editPolicy": LocalizedText("编辑并检查", "Edit and check"),
        "editPolicyNote": LocalizedText(
            "检查与服务器启动时的相同，并说明与现行策略的差别。控制台不写文件：策略在启动时从文件读取。",
            "It is checked as a server checks it when it starts, and compared with the one in force. The console "
                + "writes no file: a server reads its policy when it starts."
        ),
        "checkPolicy": LocalizedText("检查", "Check it"),
        "policyGood": LocalizedText("策略没有错误", "Nothing is wrong with it"),
        "samePolicy": LocalizedText("与现行策略相同。", "It says the same as the one in force."),
        "putInForce": LocalizedText(
            "保存到文件，在这台机器上再检查一次，然后重启服务器。启动时写入审计日志。",
            "Save it to the file, check it once more on this machine, then restart the server. The start is in the "
                + "audit log."
        ),
        "policySetting": LocalizedText("并在配置里写：", "and set in the configuration:"),
        // Keys and backups.
        "keysAndBackups": LocalizedText("密钥与备份", "Keys and backups"),
        "masterKeys": LocalizedText("主密钥", "Master keys"),
        "masterKeysNote": LocalizedText(
            "主密钥加密号码和数据库里的其他秘密。请与备份分开保存。",
            "They seal numbers and all other secrets of the database. Keep them apart from backups."),
        "key-current": LocalizedText("现用", "current"),
        "key-outgoing": LocalizedText("正在换下", "outgoing"),
        "key-retired": LocalizedText("旧密钥", "former"),
        "keySince": LocalizedText("始于", "Since"),
        "ageInDays": LocalizedText("天数", "Days"),
        "sealedValues": LocalizedText("已加密的值", "Values sealed"),
        "keptIn": LocalizedText("为以前的备份保存在", "kept for earlier backups in"),
        "rotateMaster": LocalizedText("轮换主密钥", "Rotate the master key"),
        "rotateMasterNote": LocalizedText(
            "全部值用新密钥重新加密，可能需要几分钟；登录照常进行，离开页面不会中断。之后请备份新密钥。",
            "Every value is sealed anew. It may take minutes; logins go on, and leaving the page does not break it "
                + "off. Back the new key up afterwards."
        ),
        "signingKeys": LocalizedText("签名密钥", "Signing keys"),
        "signingKeysNote": LocalizedText(
            "同意回执和 ID 令牌各有自己的签名密钥；旧的公钥继续公布，直到不再需要。",
            "Consent receipts and ID tokens are signed with keys of their own. Former public keys stay published as "
                + "long as they are needed."
        ),
        "rotateReceipt": LocalizedText("轮换回执密钥", "Rotate the receipt key"),
        "rotateReceiptNote": LocalizedText(
            "从现在起用新密钥签署回执；旧回执仍可验证。",
            "Receipts are signed with a new key from now on; earlier ones can still be verified."),
        "rotateIDTokens": LocalizedText("轮换 ID 令牌密钥", "Rotate the ID token keys"),
        "rotateIDTokensNote": LocalizedText(
            "应用从 JWKS 地址得知新密钥。如果旧密钥被盗，请用 benji app openid rotate-keys --now。",
            "Apps learn of the new keys at the JWKS address. If the former ones were stolen: benji app openid "
                + "rotate-keys --now."
        ),
        "backups": LocalizedText("备份", "Backups"),
        "backupNote": LocalizedText(
            "备份由这台机器上的命令完成，服务器照常运行；服务器不记录备份存放在哪里。制作、验证、演练恢复：",
            "Commands on this machine make them while the server runs; where they are kept the server does not know. "
                + "Make one, verify it, rehearse a restore:"
        ),
        "backupPostgres": LocalizedText(
            "数据库在 PostgreSQL 里，用它自己的工具备份。如果服务器不在这台机器上，请在连接文本中写上 sslmode=verify-full：",
            "The database is in PostgreSQL, whose own tools back it up. If the server is not on this machine, put "
                + "sslmode=verify-full into the text:"
        ),
        "backupKeyNote": LocalizedText(
            "主密钥不在备份里：另外保存。", "The master key is in no backup: keep it apart."),
    ]
}
