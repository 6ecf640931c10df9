-- Triggers that make a store of SQLite wrong, each below the beginning of the promise that it breaks.

-- the check value of the first master key stays
CREATE TRIGGER flaw AFTER INSERT ON master_key BEGIN DELETE FROM master_key; END;

-- of 16 master keys that are shown to a new store at once
CREATE TRIGGER flaw AFTER INSERT ON receipt_key BEGIN
    DELETE FROM master_key; DELETE FROM data_secrets;
    UPDATE receipt_key SET id = hex(randomblob(8)) WHERE id = new.id;
END;

-- of 16 rotations that begin at once
CREATE TRIGGER flaw AFTER INSERT ON master_key
    WHEN new.state = 'current' AND EXISTS (SELECT 1 FROM master_key WHERE state = 'outgoing')
BEGIN
    DELETE FROM master_key WHERE check_value = new.check_value;
    UPDATE master_key SET state = 'current' WHERE state = 'outgoing';
END;

-- a key under which something is sealed is not retired
CREATE TRIGGER flaw AFTER UPDATE OF state ON master_key WHEN new.state = 'outgoing' BEGIN
    DELETE FROM data_secrets; DELETE FROM receipt_key;
END;

-- a value under a retired key
CREATE TRIGGER flaw AFTER UPDATE OF state ON master_key WHEN new.state = 'retired' BEGIN
    DELETE FROM master_key;
END;

-- a search by another key than the current one
CREATE TRIGGER flaw AFTER INSERT ON master_key WHEN EXISTS (SELECT 1 FROM master_key WHERE state = 'outgoing') BEGIN
    DELETE FROM master_key WHERE check_value = new.check_value;
    UPDATE master_key SET state = 'current';
END;

-- a number is found by its former index
CREATE TRIGGER flaw AFTER UPDATE OF state ON master_key WHEN new.state = 'outgoing' BEGIN
    UPDATE subscription SET number_index = zeroblob(32);
END;

-- what changed since it was read is not sealed over
CREATE TRIGGER flaw AFTER UPDATE OF sealed_sim ON subscription BEGIN
    UPDATE subscription SET sealed_sim = old.sealed_sim WHERE id = new.id;
END;

-- a new receipt key signs alone
CREATE TRIGGER flaw AFTER UPDATE ON receipt_key BEGIN
    UPDATE receipt_key SET sealed_key = old.sealed_key WHERE id = new.id;
END;

-- any subscription is found if there is one
CREATE TRIGGER flaw AFTER INSERT ON subscription BEGIN DELETE FROM subscription; END;

-- every field of an app is kept
CREATE TRIGGER flaw AFTER INSERT ON app BEGIN UPDATE app SET name = 'other' WHERE id = new.id; END;

-- apps are listed by id
CREATE TRIGGER flaw BEFORE INSERT ON app WHEN new.id LIKE '%2' BEGIN SELECT RAISE(IGNORE); END;
CREATE TRIGGER flaw2 BEFORE INSERT ON app_source WHEN new.app LIKE '%2' BEGIN SELECT RAISE(IGNORE); END;
CREATE TRIGGER flaw3 BEFORE INSERT ON app_key WHEN new.app LIKE '%2' BEGIN SELECT RAISE(IGNORE); END;
CREATE TRIGGER flaw4 BEFORE INSERT ON app_contract WHEN new.app LIKE '%2' BEGIN SELECT RAISE(IGNORE); END;

-- a taken id or source id is refused
CREATE TRIGGER flaw BEFORE INSERT ON app_source
    WHEN EXISTS (SELECT 1 FROM app_source WHERE source_id = new.source_id)
BEGIN
    DELETE FROM app_source WHERE source_id = new.source_id;
END;

-- of 16 that make one app at once
CREATE TRIGGER flaw BEFORE INSERT ON app WHEN EXISTS (SELECT 1 FROM app WHERE id = new.id) BEGIN
    SELECT RAISE(IGNORE);
END;
CREATE TRIGGER flaw2 BEFORE INSERT ON app_source WHEN EXISTS (SELECT 1 FROM app_source WHERE app = new.app) BEGIN
    SELECT RAISE(IGNORE);
END;
CREATE TRIGGER flaw3 BEFORE INSERT ON app_key WHEN EXISTS (SELECT 1 FROM app_key WHERE app = new.app) BEGIN
    SELECT RAISE(IGNORE);
END;
CREATE TRIGGER flaw4 BEFORE INSERT ON app_contract WHEN EXISTS (SELECT 1 FROM app_contract WHERE app = new.app) BEGIN
    SELECT RAISE(IGNORE);
END;

-- an update replaces the whole record
CREATE TRIGGER flaw AFTER UPDATE ON app BEGIN UPDATE app SET name = old.name WHERE id = new.id; END;

-- an app that was changed since it was read is left as it is
CREATE TRIGGER flaw AFTER UPDATE ON app BEGIN UPDATE app SET revision = old.revision WHERE id = new.id; END;

-- of 16 that change one app at once
CREATE TRIGGER flaw AFTER UPDATE ON app BEGIN UPDATE app SET revision = old.revision WHERE id = new.id; END;

-- apps are to be erased from the moment on
CREATE TRIGGER flaw AFTER INSERT ON app BEGIN
    UPDATE app SET deleted_after = new.deleted_after + 1 WHERE id = new.id;
END;

-- an entry of a contract stays as it was first written
DROP TRIGGER app_contract_is_never_shortened;
CREATE TRIGGER flaw AFTER INSERT ON app_contract WHEN new.number > 1 BEGIN
    DELETE FROM app_contract WHERE app = new.app AND number < new.number;
END;

-- the latest day of each key's use is kept
CREATE TRIGGER flaw AFTER INSERT ON app_key_usage BEGIN
    UPDATE app_key_usage SET day = 1 WHERE app = new.app;
END;

-- a new number gets a row number of its own
CREATE TRIGGER flaw AFTER INSERT ON subscription BEGIN DELETE FROM subscription WHERE id < new.id; END;

-- every field of a subscription is kept
CREATE TRIGGER flaw AFTER UPDATE ON subscription BEGIN
    UPDATE subscription SET carrier = 'mobile' WHERE id = new.id;
END;

-- a change sees each number's row
CREATE TRIGGER flaw AFTER INSERT ON subscription BEGIN
    UPDATE subscription SET sim_generation = 7 WHERE id = new.id;
END;

-- a number named twice in one change
CREATE TRIGGER flaw AFTER INSERT ON subscription BEGIN
    UPDATE subscription SET sim_generation = 7 WHERE id = new.id;
END;

-- 32 changes of one number at once
CREATE TRIGGER flaw BEFORE UPDATE ON subscription WHEN new.sim_generation = 9 BEGIN SELECT RAISE(IGNORE); END;

-- changes of one number through two stores
CREATE TRIGGER flaw BEFORE UPDATE ON subscription WHEN new.sim_generation = 9 BEGIN SELECT RAISE(IGNORE); END;

-- a scrip is found as it was stored
CREATE TRIGGER flaw AFTER INSERT ON scrip BEGIN DELETE FROM scrip WHERE hash = new.hash; END;

-- storing the same scrip twice
CREATE TRIGGER flaw BEFORE INSERT ON scrip BEGIN DELETE FROM scrip WHERE hash = new.hash; END;

-- after a rotation the old generation is superseded
CREATE TRIGGER flaw AFTER UPDATE OF used ON scrip BEGIN UPDATE scrip SET used = 0 WHERE hash = new.hash; END;

-- of 32 that use one scrip generation at once
CREATE TRIGGER flaw AFTER UPDATE OF used ON scrip BEGIN UPDATE scrip SET used = 0 WHERE hash = new.hash; END;

-- revoking a family ends all its generations
CREATE TRIGGER flaw AFTER UPDATE OF revoked ON scrip WHEN new.used = 1 BEGIN
    UPDATE scrip SET revoked = 0 WHERE hash = new.hash;
END;

-- revoking bindings ends their scrips
CREATE TRIGGER flaw AFTER UPDATE OF revoked ON scrip BEGIN UPDATE scrip SET revoked = 1; END;

-- deleting expired credentials takes no valid one
CREATE TRIGGER flaw AFTER DELETE ON scrip BEGIN DELETE FROM scrip; END;

-- deleting expired scrips alone
CREATE TRIGGER flaw AFTER DELETE ON scrip BEGIN DELETE FROM token; END;

-- an issued token is found as it was issued
CREATE TRIGGER flaw AFTER INSERT ON token BEGIN UPDATE token SET assurance = 'sim' WHERE hash = new.hash; END;

-- the consent that bought a token is found
CREATE TRIGGER flaw AFTER INSERT ON consent BEGIN DELETE FROM consent WHERE id = new.id; END;

-- a scrip buys a token one millisecond before its expiry
CREATE TRIGGER flaw AFTER INSERT ON scrip BEGIN
    UPDATE scrip SET expires_at = new.expires_at + 1 WHERE hash = new.hash;
END;

-- a scrip buys a token one millisecond before its expiry
CREATE TRIGGER flaw AFTER INSERT ON scrip BEGIN
    UPDATE scrip SET expires_at = new.expires_at - 1 WHERE hash = new.hash;
END;

-- who judged by an older record of the app is given
CREATE TRIGGER flaw AFTER UPDATE ON app BEGIN UPDATE app SET revision = old.revision WHERE id = new.id; END;

-- an unknown scrip buys nothing
CREATE TRIGGER flaw AFTER INSERT ON subscription BEGIN
    INSERT INTO scrip (hash, family, generation, app, subscription, epoch, sim_generation, carrier, binding, device_key,
        nonce_hash, trace, dialect, reusable, expires_at)
    VALUES (X'6e6f626f64790000000000000000000000000000000000000000000000000000', 1, 1, '300000000001',
        new.id, 1, 1, 'mobile', 1, 'thumbprint', zeroblob(32), '', 'device', 1, 9000000000000);
END;

-- the 30th unused token of a device key
CREATE TRIGGER flaw AFTER INSERT ON token WHEN (SELECT count(*) FROM token) > 29 BEGIN
    UPDATE token SET issued_at = 0 WHERE hash = (SELECT min(hash) FROM token);
END;

-- unused tokens of one number put out those of keys
CREATE TRIGGER flaw BEFORE DELETE ON token BEGIN SELECT RAISE(IGNORE); END;

-- an unused token never puts out one of another assurance
CREATE TRIGGER flaw AFTER INSERT ON token BEGIN UPDATE token SET assurance = 'net' WHERE hash = new.hash; END;

-- spent and revoked tokens do not count
CREATE TRIGGER flaw AFTER UPDATE OF spent_at ON token BEGIN
    UPDATE token SET spent_at = NULL WHERE hash = new.hash;
END;

-- an unspent token counts against its key after it has expired
CREATE TRIGGER flaw AFTER INSERT ON token WHEN new.expires_at < 1795000000000 BEGIN
    DELETE FROM token WHERE hash = new.hash;
END;

-- a token issued at the window's first moment
CREATE TRIGGER flaw AFTER INSERT ON token BEGIN
    UPDATE token SET issued_at = new.issued_at + 1 WHERE hash = new.hash;
END;

-- of 100 issues at once
CREATE TRIGGER flaw AFTER INSERT ON token BEGIN UPDATE token SET device_key = hex(new.hash) WHERE hash = new.hash; END;

-- a scrip of an earlier SIM or owner
CREATE TRIGGER flaw AFTER UPDATE ON subscription BEGIN
    UPDATE subscription SET sim_generation = old.sim_generation, epoch = old.epoch WHERE id = new.id;
END;

-- an issue that fails leaves nothing
CREATE TRIGGER flaw BEFORE INSERT ON token BEGIN DELETE FROM token WHERE hash = new.hash; END;

-- tokens of a number are counted by app and day
CREATE TRIGGER flaw AFTER UPDATE ON number_day BEGIN UPDATE number_day SET tokens = old.tokens; END;

-- of 40 issues at once for one number
CREATE TRIGGER flaw AFTER UPDATE ON number_day BEGIN UPDATE number_day SET tokens = 1; END;

-- deleting counts of numbers
CREATE TRIGGER flaw AFTER DELETE ON number_day BEGIN DELETE FROM number_day; END;

-- a scrip inserted after its binding was revoked
CREATE TRIGGER flaw AFTER INSERT ON scrip BEGIN UPDATE scrip SET revoked = 0 WHERE hash = new.hash; END;

-- a token cannot be issued under a binding
CREATE TRIGGER flaw AFTER INSERT ON revoked_binding BEGIN DELETE FROM revoked_binding; END;

-- whatever is stored while its binding is revoked
CREATE TRIGGER flaw AFTER INSERT ON revoked_binding BEGIN DELETE FROM revoked_binding; END;

-- a revoked binding is remembered after closing
CREATE TRIGGER flaw AFTER INSERT ON revoked_binding BEGIN DELETE FROM revoked_binding; END;

-- a revoked binding is forgotten with what expired
CREATE TRIGGER flaw BEFORE DELETE ON revoked_binding BEGIN SELECT RAISE(IGNORE); END;

-- of 64 that redeem one token
CREATE TRIGGER flaw AFTER UPDATE OF spent_at ON token BEGIN
    UPDATE token SET spent_at = NULL WHERE hash = new.hash;
END;

-- of two stores on one place that redeem one token
CREATE TRIGGER flaw AFTER UPDATE OF spent_at ON token BEGIN
    UPDATE token SET spent_at = NULL WHERE hash = new.hash;
END;

-- a spent token comes with its own records
CREATE TRIGGER flaw AFTER INSERT ON token BEGIN UPDATE token SET assurance = 'sim' WHERE hash = new.hash; END;

-- a token is valid one millisecond before
CREATE TRIGGER flaw AFTER INSERT ON token BEGIN
    UPDATE token SET expires_at = new.expires_at + 1 WHERE hash = new.hash;
END;

-- a token is valid one millisecond before
CREATE TRIGGER flaw AFTER INSERT ON token BEGIN
    UPDATE token SET expires_at = new.expires_at - 1 WHERE hash = new.hash;
END;

-- an unknown token is unknown
CREATE TRIGGER flaw AFTER INSERT ON subscription BEGIN
    INSERT INTO token (hash, app, purpose, subscription, epoch, sim_generation, carrier, binding, device_key, assurance,
        trace, dialect, issued_at, expires_at)
    VALUES (X'6e6f626f64790000000000000000000000000000000000000000000000000000', '300000000001', 'login',
        new.id, 1, 1, 'mobile', 1, 'thumbprint', 'net', '00000000000000000000000000000001', 'device', 1795000000000, 1795000120000);
END;

-- another app is refused
CREATE TRIGGER flaw AFTER INSERT ON token BEGIN UPDATE token SET app = '300000000002' WHERE hash = new.hash; END;

-- another purpose is refused
CREATE TRIGGER flaw AFTER INSERT ON token BEGIN UPDATE token SET purpose = 'verification' WHERE hash = new.hash; END;

-- a request that names another login
CREATE TRIGGER flaw AFTER INSERT ON token BEGIN
    UPDATE token SET trace = '00000000000000000000000000000002' WHERE hash = new.hash;
END;

-- a token weaker than asked
CREATE TRIGGER flaw AFTER INSERT ON token BEGIN UPDATE token SET assurance = 'sim' WHERE hash = new.hash; END;

-- a token whose answer cannot be given
CREATE TRIGGER flaw AFTER INSERT ON token BEGIN UPDATE token SET spent_at = 1 WHERE hash = new.hash; END;

-- a new SIM between issue and redeem
CREATE TRIGGER flaw AFTER UPDATE OF sim_generation ON subscription BEGIN
    UPDATE subscription SET sim_generation = old.sim_generation WHERE id = new.id;
END;

-- a new owner between issue and redeem
CREATE TRIGGER flaw AFTER UPDATE OF epoch ON subscription BEGIN
    UPDATE subscription SET epoch = old.epoch WHERE id = new.id;
END;

-- a change of SIM that races redemptions
CREATE TRIGGER flaw AFTER UPDATE OF spent_at ON token BEGIN
    UPDATE token SET spent_at = NULL WHERE hash = new.hash;
END;

-- tokens of a revoked binding cannot be spent
CREATE TRIGGER flaw AFTER UPDATE OF revoked ON token BEGIN UPDATE token SET revoked = 0 WHERE hash = new.hash; END;

-- refusals are found in the documented order
CREATE TRIGGER flaw AFTER INSERT ON token BEGIN UPDATE token SET spent_at = 1 WHERE hash = new.hash; END;

-- who judged by an older record of the app spends
CREATE TRIGGER flaw AFTER UPDATE ON app BEGIN UPDATE app SET revision = old.revision WHERE id = new.id; END;

-- a token of another app is spent for
CREATE TRIGGER flaw AFTER UPDATE ON app BEGIN UPDATE app SET revision = old.revision WHERE id = new.id; END;

-- the request that spent a token is a replay
CREATE TRIGGER flaw AFTER UPDATE OF message ON token BEGIN UPDATE token SET message = NULL WHERE hash = new.hash; END;

-- a request that is refused leaves no name
CREATE TRIGGER flaw AFTER INSERT ON token BEGIN
    UPDATE token SET message = 'm', spent_at = 1 WHERE hash = new.hash;
END;

-- requests without a name are never a replay
CREATE TRIGGER flaw AFTER UPDATE OF spent_at ON token BEGIN
    UPDATE token SET spent_at = NULL WHERE hash = new.hash;
END;

-- two tokens may be spent by requests of one name
CREATE TRIGGER flaw AFTER UPDATE OF spent_at ON token BEGIN UPDATE token SET spent_at = 1, message = new.message; END;
CREATE TRIGGER flaw2 AFTER INSERT ON token WHEN EXISTS (SELECT 1 FROM token WHERE spent_at IS NOT NULL) BEGIN
    UPDATE token SET spent_at = 1, message = 'm' WHERE hash = new.hash;
END;

-- another app's request of that name
CREATE TRIGGER flaw AFTER UPDATE OF spent_at ON token BEGIN
    UPDATE token SET app = '300000000002' WHERE hash = new.hash;
END;

-- of 32 equal requests at once
CREATE TRIGGER flaw AFTER UPDATE OF message ON token BEGIN UPDATE token SET message = NULL WHERE hash = new.hash; END;

-- of 32 that take one name
CREATE TRIGGER flaw AFTER INSERT ON message BEGIN DELETE FROM message; END;

-- forgetting names takes those whose time is over
CREATE TRIGGER flaw AFTER DELETE ON message BEGIN DELETE FROM message; END;

-- the ledger has one line for each spent token
CREATE TRIGGER flaw AFTER INSERT ON ledger WHEN new.id = 1 BEGIN
    INSERT INTO ledger (app, trace, interface, result, at, day)
    VALUES (new.app, new.trace, new.interface, new.result, new.at, new.day);
END;

-- lines of the ledger are found by time
DROP TRIGGER ledger_is_never_changed;
CREATE TRIGGER flaw AFTER INSERT ON ledger BEGIN UPDATE ledger SET at = new.at - 1 WHERE id = new.id; END;

-- lines of the ledger are counted by day
DROP TRIGGER ledger_is_never_changed;
CREATE TRIGGER flaw AFTER INSERT ON ledger BEGIN UPDATE ledger SET app = '300000000001' WHERE id = new.id; END;

-- however many lines of the ledger are in sums
DROP TRIGGER ledger_sum_only_grows;
CREATE TRIGGER flaw AFTER INSERT ON ledger_sum BEGIN UPDATE ledger_sum SET answers = answers + 1; END;

-- of 8 that sum the ledger
DROP TRIGGER ledger_mark_never_goes_back;
CREATE TRIGGER flaw AFTER UPDATE ON ledger_mark BEGIN UPDATE ledger_mark SET line = old.line; END;

-- the ledger keeps the answer that was made
DROP TRIGGER ledger_is_never_changed;
CREATE TRIGGER flaw AFTER INSERT ON ledger BEGIN UPDATE ledger SET result = 'released' WHERE id = new.id; END;

-- a line of the ledger says of what was redeemed how strongly
DROP TRIGGER ledger_is_never_changed;
CREATE TRIGGER flaw AFTER INSERT ON ledger BEGIN UPDATE ledger SET assurance = NULL WHERE id = new.id; END;

-- a spent quota refuses
CREATE TRIGGER flaw AFTER UPDATE ON billing_day BEGIN UPDATE billing_day SET answered = 0; END;
CREATE TRIGGER flaw2 AFTER INSERT ON billing_day BEGIN UPDATE billing_day SET answered = 0; END;

-- of 40 redemptions at once under a quota
CREATE TRIGGER flaw AFTER UPDATE ON billing_day BEGIN UPDATE billing_day SET answered = 0; END;

-- of two stores on one place that redeem under one quota
CREATE TRIGGER flaw AFTER UPDATE ON billing_day BEGIN UPDATE billing_day SET answered = 0; END;

-- answers are counted without a quota too
DROP TRIGGER ledger_is_never_shortened;
CREATE TRIGGER flaw AFTER INSERT ON ledger BEGIN DELETE FROM ledger; DELETE FROM billing_day; END;

-- a month's quota counts all of its days
DROP TRIGGER ledger_is_never_shortened;
CREATE TRIGGER flaw AFTER INSERT ON ledger BEGIN
    DELETE FROM ledger WHERE day < new.day;
    DELETE FROM billing_day WHERE day < new.day;
END;

-- of two stores on one place that redeem under one month's quota
DROP TRIGGER ledger_is_never_shortened;
CREATE TRIGGER flaw AFTER INSERT ON ledger BEGIN DELETE FROM ledger; DELETE FROM billing_day; END;

-- a device key is familiar
CREATE TRIGGER flaw AFTER INSERT ON familiar_key BEGIN
    UPDATE familiar_key SET epoch = new.epoch + 1 WHERE subscription = new.subscription;
END;

-- a familiar key is forgotten
CREATE TRIGGER flaw BEFORE DELETE ON familiar_key BEGIN SELECT RAISE(IGNORE); END;

-- wrong guesses are counted for one app and number
CREATE TRIGGER flaw AFTER UPDATE OF count ON wrong_guess BEGIN UPDATE wrong_guess SET count = old.count; END;

-- wrong guesses count until their window is over
CREATE TRIGGER flaw AFTER INSERT ON wrong_guess BEGIN
    UPDATE wrong_guess SET since = new.since - 1 WHERE subscription = new.subscription;
END;

-- faces are counted apart from digits
CREATE TRIGGER flaw AFTER INSERT ON wrong_guess WHEN new.app GLOB '[0-9]*' BEGIN
    INSERT INTO wrong_guess (subscription, app, epoch, count, since)
    VALUES (new.subscription, 'face', new.epoch, 10, new.since);
END;

-- of 64 guesses at once
CREATE TRIGGER flaw AFTER UPDATE OF count ON wrong_guess BEGIN UPDATE wrong_guess SET count = old.count; END;

-- an SMS code is spent once
CREATE TRIGGER flaw AFTER UPDATE OF spent_at ON sms_code BEGIN UPDATE sms_code SET spent_at = NULL; END;

-- an SMS code is spent once
CREATE TRIGGER flaw AFTER INSERT ON sms_code BEGIN UPDATE sms_code SET expires_at = new.expires_at + 1; END;

-- a newer SMS code ends the one before
CREATE TRIGGER flaw AFTER UPDATE OF ended ON sms_code BEGIN UPDATE sms_code SET ended = NULL; END;

-- a newer SMS code ends the one before
CREATE TRIGGER flaw AFTER UPDATE OF ended ON sms_code BEGIN
    UPDATE sms_code SET ended = 'replaced' WHERE id <> new.id;
END;

-- an SMS code whose message nobody took
CREATE TRIGGER flaw AFTER UPDATE OF ended ON sms_code BEGIN UPDATE sms_code SET ended = NULL; END;

-- after as many wrong tries as an SMS code has
CREATE TRIGGER flaw AFTER UPDATE OF tries_left ON sms_code BEGIN UPDATE sms_code SET tries_left = old.tries_left; END;

-- of 64 tries of one SMS code
CREATE TRIGGER flaw AFTER UPDATE OF tries_left ON sms_code BEGIN UPDATE sms_code SET tries_left = old.tries_left; END;

-- of 64 that show the right SMS code
CREATE TRIGGER flaw AFTER UPDATE OF spent_at ON sms_code BEGIN UPDATE sms_code SET spent_at = NULL; END;

-- a number is sent no more SMS codes
CREATE TRIGGER flaw AFTER INSERT ON sms_code BEGIN UPDATE sms_code SET issued_at = 0 WHERE id = new.id; END;

-- of 64 SMS codes for one number
CREATE TRIGGER flaw AFTER INSERT ON sms_code BEGIN UPDATE sms_code SET issued_at = 0 WHERE id = new.id; END;

-- no budget of SMS codes is passed
CREATE TRIGGER flaw AFTER UPDATE OF count ON sms_budget BEGIN UPDATE sms_budget SET count = old.count; END;

-- a delivery finds the SMS code
CREATE TRIGGER flaw AFTER UPDATE OF reference ON sms_code BEGIN
    UPDATE sms_code SET reference = 'r-2' WHERE id = new.id;
END;

-- a delivery that may have several references
CREATE TRIGGER flaw AFTER INSERT ON sms_code BEGIN UPDATE sms_code SET number = zeroblob(32) WHERE id = new.id; END;

-- deleting SMS codes takes those
CREATE TRIGGER flaw AFTER INSERT ON sms_code BEGIN
    UPDATE sms_code SET issued_at = new.issued_at - 1 WHERE id = new.id;
END;

-- a text is spent once
CREATE TRIGGER flaw AFTER UPDATE OF spent_at ON sms_upstream BEGIN UPDATE sms_upstream SET spent_at = NULL; END;

-- a text counts until the moment
CREATE TRIGGER flaw AFTER INSERT ON sms_upstream BEGIN UPDATE sms_upstream SET expires_at = new.expires_at + 1; END;

-- a text that a second number sends
CREATE TRIGGER flaw AFTER UPDATE OF ended ON sms_upstream BEGIN UPDATE sms_upstream SET ended = NULL; END;

-- of 64 numbers that send one text
CREATE TRIGGER flaw AFTER UPDATE OF ended ON sms_upstream BEGIN UPDATE sms_upstream SET ended = NULL; END;

-- of 64 that log in by one text
CREATE TRIGGER flaw AFTER UPDATE OF spent_at ON sms_upstream BEGIN UPDATE sms_upstream SET spent_at = NULL; END;

-- texts are counted with their budgets
CREATE TRIGGER flaw AFTER INSERT ON sms_budget BEGIN DELETE FROM sms_budget; END;

-- deleting texts takes those
CREATE TRIGGER flaw AFTER INSERT ON sms_upstream BEGIN
    UPDATE sms_upstream SET issued_at = new.issued_at - 1 WHERE id = new.id;
END;

-- an attested key is kept once
CREATE TRIGGER flaw BEFORE INSERT ON attested_key BEGIN DELETE FROM attested_key WHERE id = new.id; END;

-- a device key has one attested key
CREATE TRIGGER flaw AFTER UPDATE OF revoked_at ON attested_key BEGIN
    UPDATE attested_key SET revoked_at = NULL WHERE id = new.id;
END;

-- a key's counter is taken once
CREATE TRIGGER flaw AFTER UPDATE OF counter ON attested_key BEGIN
    UPDATE attested_key SET counter = old.counter WHERE id = new.id;
END;

-- of 64 that show one counter
CREATE TRIGGER flaw AFTER UPDATE OF counter ON attested_key BEGIN
    UPDATE attested_key SET counter = old.counter WHERE id = new.id;
END;

-- erasing an app takes its phones' attested keys
CREATE TRIGGER flaw BEFORE DELETE ON attested_key BEGIN SELECT RAISE(IGNORE); END;

-- released numbers and consents come into the log once
CREATE TRIGGER flaw AFTER INSERT ON log_mark BEGIN UPDATE log_mark SET source = 0; END;
CREATE TRIGGER flaw2 AFTER UPDATE ON log_mark BEGIN UPDATE log_mark SET source = 0; END;

-- a number that was released without a page
DROP TRIGGER log_leaf_is_never_changed;
CREATE TRIGGER flaw AFTER INSERT ON log_leaf BEGIN UPDATE log_leaf SET subscription = NULL WHERE leaf = new.leaf; END;

-- rows that were left for later come next
CREATE TRIGGER flaw AFTER UPDATE ON log_mark BEGIN UPDATE log_mark SET source = source + 1; END;
CREATE TRIGGER flaw2 AFTER INSERT ON log_mark BEGIN UPDATE log_mark SET source = source + 1; END;

-- of 8 that bring the same rows into the log
DROP INDEX log_leaf_by_source;
CREATE TRIGGER flaw BEFORE INSERT ON log_mark BEGIN SELECT RAISE(IGNORE); END;

-- a leaf is shown to its holder alone
DROP TRIGGER log_leaf_is_never_changed;
CREATE TRIGGER flaw AFTER INSERT ON log_leaf BEGIN UPDATE log_leaf SET epoch = 2 WHERE leaf = new.leaf; END;

-- a leaf stays when its row goes
DROP TRIGGER log_leaf_is_never_removed;
CREATE TRIGGER flaw AFTER UPDATE OF input ON log_leaf BEGIN DELETE FROM log_leaf WHERE leaf = new.leaf; END;

-- a leaf whose consent is put out
DROP TRIGGER log_leaf_is_never_changed;
CREATE TRIGGER flaw AFTER UPDATE OF input ON log_leaf BEGIN
    UPDATE log_leaf SET input = old.input WHERE leaf = new.leaf;
END;

-- of each page that a holder agreed on
CREATE TRIGGER flaw AFTER UPDATE OF epoch ON subscription WHEN new.epoch <> old.epoch BEGIN
    INSERT INTO consent (app, trace, subscription, epoch, sim_generation, content_digest, record, received_at, content,
        content_at, token, assurance)
    SELECT app, trace, subscription, new.epoch, sim_generation, content_digest, record, received_at, content,
        content_at, token, assurance FROM consent;
END;

-- erasing an app ends its client
CREATE TRIGGER flaw BEFORE DELETE ON openid_client BEGIN SELECT RAISE(IGNORE); END;

-- an OpenID client is found as it was put last
CREATE TRIGGER flaw AFTER UPDATE ON openid_client BEGIN
    UPDATE openid_client SET frame_ancestors = old.frame_ancestors WHERE app = new.app;
END;

-- an OpenID client that was changed since it was read
CREATE TRIGGER flaw AFTER UPDATE ON openid_client BEGIN
    UPDATE openid_client SET revision = old.revision WHERE app = new.app;
END;

-- an OpenID client that was removed and made anew
CREATE TRIGGER flaw AFTER INSERT ON openid_client BEGIN UPDATE openid_client SET revision = 1 WHERE app = new.app; END;

-- of 16 that change one OpenID client
CREATE TRIGGER flaw AFTER UPDATE ON openid_client BEGIN
    UPDATE openid_client SET revision = old.revision WHERE app = new.app;
END;

-- removing an OpenID client ends what it holds
CREATE TRIGGER flaw AFTER DELETE ON openid_client BEGIN DELETE FROM openid_credential; END;

-- a client's images are found
CREATE TRIGGER flaw AFTER UPDATE ON openid_client BEGIN DELETE FROM openid_media WHERE app = new.app; END;

-- a new OpenID key signs alone
CREATE TRIGGER flaw AFTER UPDATE OF sealed_key ON openid_key BEGIN
    UPDATE openid_key SET sealed_key = old.sealed_key WHERE id = new.id;
END;

-- an OpenID key that is added without an end
CREATE TRIGGER flaw BEFORE DELETE ON openid_key BEGIN SELECT RAISE(IGNORE); END;

-- OpenID keys of several algorithms are added all or none
CREATE TRIGGER flaw AFTER INSERT ON openid_key BEGIN UPDATE openid_key SET public_key = NULL WHERE id <> new.id; END;

-- of 32 that exchange one code
CREATE TRIGGER flaw AFTER UPDATE OF spent_at ON openid_credential BEGIN
    UPDATE openid_credential SET spent_at = NULL WHERE hash = new.hash;
END;

-- an OpenID credential of another kind or app
CREATE TRIGGER flaw AFTER INSERT ON openid_credential BEGIN
    UPDATE openid_credential SET app = '300000000002' WHERE hash = new.hash;
END;

-- an OpenID credential is valid one millisecond before
CREATE TRIGGER flaw AFTER INSERT ON openid_credential BEGIN
    UPDATE openid_credential SET expires_at = new.expires_at + 1 WHERE hash = new.hash;
END;

-- a new SIM, a new owner, a revoked family or binding
CREATE TRIGGER flaw AFTER UPDATE OF revoked ON openid_credential BEGIN UPDATE openid_credential SET revoked = 0; END;

-- a billed exchange writes one line
CREATE TRIGGER flaw AFTER UPDATE ON billing_day BEGIN UPDATE billing_day SET answered = 0; END;
CREATE TRIGGER flaw2 AFTER INSERT ON billing_day BEGIN UPDATE billing_day SET answered = 0; END;

-- an exchange that keeps its credential
CREATE TRIGGER flaw AFTER INSERT ON ledger BEGIN UPDATE openid_credential SET spent_at = 1; END;

-- an access token that is answered is billed once
CREATE TRIGGER flaw AFTER UPDATE OF kind ON openid_credential BEGIN
    UPDATE openid_credential SET kind = old.kind WHERE hash = new.hash;
END;

-- of many pages of one pushed request
CREATE TRIGGER flaw AFTER UPDATE OF spent_at ON openid_credential WHEN new.kind = 'pushed' BEGIN
    UPDATE openid_credential SET spent_at = NULL WHERE hash = new.hash;
END;

-- a name that an app may use once
CREATE TRIGGER flaw AFTER INSERT ON message BEGIN UPDATE message SET expires_at = new.expires_at - 1; END;

-- deleting expired credentials takes OpenID's too
CREATE TRIGGER flaw AFTER DELETE ON openid_credential BEGIN DELETE FROM openid_credential; END;

-- the consent to a token or code that expired unredeemed
CREATE TRIGGER flaw BEFORE DELETE ON consent BEGIN SELECT RAISE(IGNORE); END;

-- a consent of more than 31 days stays
CREATE TRIGGER flaw AFTER DELETE ON token BEGIN DELETE FROM consent WHERE token = old.hash; END;

-- pages and codes that nobody redeemed go early
CREATE TRIGGER flaw AFTER DELETE ON openid_credential BEGIN DELETE FROM openid_credential; END;

-- a page's code and the consent that is remembered with it
CREATE TRIGGER flaw BEFORE INSERT ON openid_credential WHEN new.kind = 'remembered' BEGIN SELECT RAISE(IGNORE); END;

-- remembered consents are listed and ended
CREATE TRIGGER flaw AFTER UPDATE OF revoked ON openid_credential BEGIN UPDATE openid_credential SET revoked = 1; END;

-- a remembered consent dies with the SIM
CREATE TRIGGER flaw AFTER UPDATE OF sim_generation ON subscription BEGIN
    UPDATE openid_credential SET sim_generation = new.sim_generation WHERE subscription = new.id;
END;

-- what is remembered beside the end of that option
CREATE TRIGGER flaw AFTER UPDATE OF revoked ON openid_credential BEGIN UPDATE openid_credential SET revoked = 0; END;

-- a remembered consent ends beside a page's answer
CREATE TRIGGER flaw AFTER UPDATE OF revoked ON openid_credential BEGIN UPDATE openid_credential SET revoked = 0; END;

-- of 16 uses of a remembered consent and its end
CREATE TRIGGER flaw AFTER UPDATE OF revoked ON openid_credential BEGIN UPDATE openid_credential SET revoked = 0; END;

-- a backchannel request waits for its holder alone
CREATE TRIGGER flaw AFTER UPDATE OF spent_at ON openid_credential BEGIN
    UPDATE openid_credential SET spent_at = NULL;
END;

-- a face login that enrols is found whole
CREATE TRIGGER flaw AFTER INSERT ON face_credential BEGIN
    DELETE FROM face_credential WHERE hash = new.hash AND kind = 'access';
END;

-- of 32 that enrol one number
CREATE TRIGGER flaw AFTER INSERT ON face_account BEGIN
    UPDATE face_account SET epoch = 100 + abs(random() % 1000000) WHERE id = new.id;
END;

-- a uid belongs to one account of an app
CREATE TRIGGER flaw AFTER INSERT ON face_binding BEGIN
    UPDATE face_binding SET uid = hex(randomblob(8)) WHERE account = new.account AND app = new.app;
END;

-- of 32 accounts that want one uid
CREATE TRIGGER flaw AFTER INSERT ON face_binding BEGIN
    UPDATE face_binding SET uid = hex(randomblob(8)) WHERE account = new.account AND app = new.app;
END;
CREATE TRIGGER flaw2 AFTER UPDATE OF uid ON face_binding BEGIN
    UPDATE face_binding SET uid = hex(randomblob(8)) WHERE account = new.account AND app = new.app;
END;

-- a face login is refused when the binding is another
CREATE TRIGGER flaw AFTER INSERT ON face_binding BEGIN
    UPDATE face_binding SET uid = 'three' WHERE account = new.account AND app = new.app;
END;

-- of 32 that spend one refresh token
CREATE TRIGGER flaw AFTER UPDATE OF spent_at ON face_credential BEGIN
    UPDATE face_credential SET spent_at = NULL WHERE hash = new.hash;
END;

-- a face credential of another kind
CREATE TRIGGER flaw AFTER INSERT ON face_credential BEGIN
    UPDATE face_credential SET device_key = 'other' WHERE hash = new.hash;
END;

-- a face credential is valid one millisecond before
CREATE TRIGGER flaw AFTER INSERT ON face_credential BEGIN
    UPDATE face_credential SET expires_at = new.expires_at + 1 WHERE hash = new.hash;
END;

-- a frozen face account keeps everything
CREATE TRIGGER flaw AFTER UPDATE OF frozen ON face_account BEGIN
    UPDATE face_account SET frozen = 0 WHERE id = new.id;
END;

-- revoking a family ends its face credentials
CREATE TRIGGER flaw AFTER UPDATE OF revoked ON face_credential BEGIN UPDATE face_credential SET revoked = 1; END;

-- cancelling one app's binding leaves the others
CREATE TRIGGER flaw AFTER DELETE ON face_binding BEGIN DELETE FROM face_binding; END;

-- an account that no app knows stays
CREATE TRIGGER flaw AFTER UPDATE OF unbound_at ON face_account BEGIN
    UPDATE face_account SET unbound_at = unbound_at - 1 WHERE id = new.id;
END;

-- an install that remembers an account
CREATE TRIGGER flaw AFTER UPDATE OF revoked ON face_credential BEGIN
    UPDATE face_credential SET revoked = 0 WHERE hash = new.hash;
END;

-- an erased face account is gone
CREATE TRIGGER flaw AFTER UPDATE OF ended_at ON face_credential BEGIN
    UPDATE face_credential SET ended_at = NULL, ended_by = NULL WHERE hash = new.hash;
END;

-- a face account ends with its epoch
CREATE TRIGGER flaw AFTER UPDATE OF epoch ON subscription BEGIN
    UPDATE face_account SET epoch = new.epoch WHERE subscription = new.id;
END;

-- logging in again ends what the install remembered
CREATE TRIGGER flaw AFTER UPDATE OF revoked ON face_credential BEGIN
    UPDATE face_credential SET revoked = 0 WHERE hash = new.hash;
END;

-- a face group is its app's alone
CREATE TRIGGER flaw AFTER UPDATE ON face_group BEGIN UPDATE face_group SET tag = old.tag WHERE id = new.id; END;

-- a yes to being found in groups
CREATE TRIGGER flaw AFTER UPDATE ON face_binding BEGIN UPDATE face_binding SET groups_agreed_at = NULL; END;

-- new terms end every yes
CREATE TRIGGER flaw AFTER UPDATE OF groups_agreed_at ON face_binding WHEN old.groups_agreed_at IS NOT NULL BEGIN
    UPDATE face_binding SET groups_agreed_at = old.groups_agreed_at WHERE account = new.account AND app = new.app;
END;

-- a login keeps when the app was authorised
CREATE TRIGGER flaw AFTER UPDATE ON face_binding BEGIN UPDATE face_binding SET sealed_info = NULL; END;

-- a face is noted as seen
CREATE TRIGGER flaw AFTER UPDATE OF verified_at ON face_binding BEGIN
    UPDATE face_binding SET verified_at = old.verified_at;
END;

-- who is found in a group
CREATE TRIGGER flaw AFTER UPDATE OF frozen ON face_account BEGIN
    UPDATE face_account SET frozen = 0 WHERE id = new.id;
END;

-- deleting expired credentials takes those of faces too
CREATE TRIGGER flaw AFTER DELETE ON face_credential BEGIN DELETE FROM face_credential; END;

-- a replaced SIM ends what a face account has given out
CREATE TRIGGER flaw AFTER UPDATE OF sim_generation ON subscription BEGIN
    UPDATE face_account SET sim_generation = new.sim_generation WHERE subscription = new.id;
END;

-- a login by the new SIM opens a face account again
CREATE TRIGGER flaw AFTER UPDATE OF revoked ON face_credential BEGIN
    UPDATE face_credential SET revoked = 0 WHERE hash = new.hash;
END;

-- what was decided by a face account that has changed
CREATE TRIGGER flaw AFTER UPDATE OF revision ON face_account BEGIN
    UPDATE face_account SET revision = old.revision WHERE id = new.id;
END;

-- of 32 changes of one face account
CREATE TRIGGER flaw AFTER UPDATE OF revision ON face_account BEGIN
    UPDATE face_account SET revision = old.revision WHERE id = new.id;
END;

-- of 32 changes of one binding
CREATE TRIGGER flaw AFTER UPDATE OF revision ON face_binding BEGIN
    UPDATE face_binding SET revision = old.revision WHERE account = new.account AND app = new.app;
END;

-- an authorisation that was given anew
CREATE TRIGGER flaw AFTER INSERT ON face_binding BEGIN
    UPDATE face_binding SET revision = 1 WHERE account = new.account AND app = new.app;
END;

-- an account's uid is known with the time
CREATE TRIGGER flaw AFTER UPDATE ON face_binding BEGIN
    UPDATE face_binding SET uid_since = 1 WHERE account = new.account AND app = new.app;
END;

-- of many changes of one face group's tag
CREATE TRIGGER flaw AFTER UPDATE ON face_group BEGIN UPDATE face_group SET info = '{}' WHERE id = new.id; END;

-- the events of a trace are found at once
CREATE TRIGGER flaw AFTER INSERT ON trace_event BEGIN UPDATE trace_event SET at = 0 - new.at WHERE id = new.id; END;

-- logins are found by app
CREATE TRIGGER flaw AFTER INSERT ON trace_event BEGIN
    UPDATE trace_event SET app = '300000000001' WHERE id = new.id;
END;

-- a login whose server was answered
CREATE TRIGGER flaw AFTER INSERT ON trace_event BEGIN
    UPDATE trace_event SET party = 'authority' WHERE id = new.id;
END;

-- logins are told page after page
CREATE TRIGGER flaw AFTER INSERT ON trace_event BEGIN
    UPDATE trace_event SET at = new.at - new.id % 3 WHERE id = new.id;
END;

-- no event is lost when 64 append
CREATE TRIGGER flaw BEFORE INSERT ON trace_event WHEN (SELECT count(*) FROM trace_event) = 9 BEGIN
    SELECT RAISE(IGNORE);
END;

-- deleting old events takes only those
CREATE TRIGGER flaw AFTER INSERT ON trace_event BEGIN UPDATE trace_event SET at = new.at - 1 WHERE id = new.id; END;

-- steps of logins are counted by app and hour
CREATE TRIGGER flaw AFTER UPDATE ON login_count BEGIN
    UPDATE login_count SET steps = 1 WHERE app = new.app AND hour = new.hour;
END;

-- counts of all apps are summed
CREATE TRIGGER flaw AFTER INSERT ON login_count BEGIN DELETE FROM login_count WHERE app <> new.app; END;

-- a change and its line of the audit log are one
CREATE TRIGGER flaw BEFORE INSERT ON audit BEGIN SELECT RAISE(IGNORE); END;

-- a request that has a name is carried out once
DROP TRIGGER audit_is_never_changed;
CREATE TRIGGER flaw AFTER INSERT ON audit BEGIN UPDATE audit SET request_key = NULL WHERE id = new.id; END;

-- lines of the audit log are found by app
DROP TRIGGER audit_is_never_changed;
CREATE TRIGGER flaw AFTER INSERT ON audit BEGIN UPDATE audit SET at = new.at - 1 WHERE id = new.id; END;

-- lines of the audit log after one
DROP TRIGGER audit_is_never_shortened;
CREATE TRIGGER flaw AFTER INSERT ON audit BEGIN DELETE FROM audit WHERE id = new.id - 1; END;

-- an admin's name and credential are nobody else's
CREATE TRIGGER flaw BEFORE INSERT ON admin WHEN EXISTS (SELECT 1 FROM admin WHERE name = new.name) BEGIN
    SELECT RAISE(IGNORE);
END;

-- an admin is found by the credential
CREATE TRIGGER flaw AFTER UPDATE OF credential ON admin BEGIN
    UPDATE admin SET credential = old.credential WHERE name = new.name;
END;

-- an app's team is invited
CREATE TRIGGER flaw AFTER UPDATE OF apps ON admin BEGIN UPDATE admin SET apps = '[]' WHERE name = new.name; END;

-- of 16 developers of an app
CREATE TRIGGER flaw AFTER UPDATE OF apps ON admin BEGIN UPDATE admin SET apps = '[]'; END;

-- of 16 apps that an admin makes
CREATE TRIGGER flaw AFTER UPDATE OF apps ON admin BEGIN UPDATE admin SET apps = '[]' WHERE name = new.name; END;

-- of 16 that accept an invitation
CREATE TRIGGER flaw AFTER UPDATE ON admin BEGIN
    UPDATE admin SET kind = old.kind, credential = old.credential WHERE name = new.name;
END;
CREATE TRIGGER flaw2 BEFORE INSERT ON console_account BEGIN DELETE FROM console_account WHERE admin = new.admin; END;

-- of 32 attempts to sign in
CREATE TRIGGER flaw AFTER UPDATE OF failures ON console_account BEGIN
    UPDATE console_account SET failures = 0, blocked_until = 0;
END;

-- a code signs in once
CREATE TRIGGER flaw AFTER UPDATE OF last_step ON console_account BEGIN
    UPDATE console_account SET last_step = old.last_step;
END;

-- what a right password began is finished once
CREATE TRIGGER flaw BEFORE DELETE ON console_pending BEGIN SELECT RAISE(IGNORE); END;

-- a phone is bound in the session
CREATE TRIGGER flaw AFTER INSERT ON console_pending BEGIN
    UPDATE console_pending SET session = zeroblob(32) WHERE hash = new.hash;
END;

-- an admin's sessions end with their time
CREATE TRIGGER flaw BEFORE DELETE ON console_session BEGIN SELECT RAISE(IGNORE); END;

-- deleting old consents takes only those
DROP TRIGGER consent_is_never_changed;
CREATE TRIGGER flaw AFTER INSERT ON consent BEGIN
    UPDATE consent SET received_at = new.received_at - 1 WHERE id = new.id;
END;

-- the ledger is shortened to a day
DROP TRIGGER ledger_begin_never_goes_back;
CREATE TRIGGER flaw AFTER UPDATE ON ledger_begin BEGIN UPDATE ledger_begin SET day = old.day; END;

-- sums of the ledger go with their days
CREATE TRIGGER flaw AFTER UPDATE ON ledger_begin BEGIN
    INSERT INTO ledger_sum (app, day, interface, result, answers)
    VALUES ('300000000001', new.day, 'other', 'released', 1);
END;

-- erasing a subscriber takes everything
CREATE TRIGGER flaw BEFORE DELETE ON trace_event BEGIN SELECT RAISE(IGNORE); END;

-- erasing a subscriber takes everything
CREATE TRIGGER flaw BEFORE DELETE ON sms_code BEGIN SELECT RAISE(IGNORE); END;

-- erasing a subscriber takes everything
CREATE TRIGGER flaw AFTER DELETE ON subscription BEGIN DELETE FROM consent; END;

-- an erasure is refused when the number has another holder
CREATE TRIGGER flaw AFTER UPDATE OF epoch ON subscription BEGIN
    UPDATE subscription SET epoch = old.epoch WHERE id = new.id;
END;

-- who takes back their consent ends
CREATE TRIGGER flaw AFTER DELETE ON scrip BEGIN DELETE FROM scrip; END;

-- a number's next holder takes back nothing
CREATE TRIGGER flaw AFTER UPDATE OF epoch ON subscription BEGIN
    UPDATE scrip SET epoch = new.epoch; UPDATE token SET epoch = new.epoch;
END;

-- what requests under way wrote of an erased subscriber
CREATE TRIGGER flaw AFTER INSERT ON erasure BEGIN DELETE FROM erasure; END;

-- what is told of a subscriber is theirs
CREATE TRIGGER flaw AFTER INSERT ON trace_event BEGIN
    UPDATE trace_event SET subscription = 1, epoch = 1 WHERE id = new.id;
END;

-- a submitted page is kept with every field
CREATE TRIGGER flaw AFTER INSERT ON page_submission BEGIN
    UPDATE page_submission SET note = NULL WHERE id = new.id;
END;

-- submitted pages are found by app and state
CREATE TRIGGER flaw AFTER INSERT ON page_submission BEGIN
    UPDATE page_submission SET app = '300000000001' WHERE id = new.id;
END;

-- the pages of an erased app are gone
CREATE TRIGGER flaw BEFORE DELETE ON page_submission BEGIN SELECT RAISE(IGNORE); END;

-- a decision, the app and the line
CREATE TRIGGER flaw BEFORE INSERT ON audit BEGIN SELECT RAISE(IGNORE); END;

-- of 16 that decide one page
CREATE TRIGGER flaw AFTER UPDATE OF state ON page_submission BEGIN
    UPDATE page_submission SET state = old.state WHERE id = new.id;
END;

-- a policy is kept when another one held
CREATE TRIGGER flaw AFTER INSERT ON policy BEGIN UPDATE policy SET digest = '' WHERE id = new.id; END;

-- of 16 that take a pair over
CREATE TRIGGER flaw AFTER UPDATE OF fence ON gateway_pair BEGIN UPDATE gateway_pair SET fence = old.fence; END;

-- a pair whose owner has recorded something
CREATE TRIGGER flaw AFTER UPDATE OF sequence ON gateway_pair BEGIN
    UPDATE gateway_pair SET sequence = old.sequence;
END;

-- a gateway that was replaced records nothing
CREATE TRIGGER flaw AFTER UPDATE OF fence ON gateway_pair BEGIN
    UPDATE gateway_pair SET fence = old.fence, owner = old.owner;
END;

-- a pair that was given back has no owner
CREATE TRIGGER flaw AFTER UPDATE OF owner ON gateway_pair WHEN new.owner IS NULL BEGIN
    UPDATE gateway_pair SET owner = old.owner;
END;

-- entries that are sent a second time
CREATE TRIGGER flaw AFTER UPDATE OF sequence ON gateway_pair BEGIN
    UPDATE gateway_pair SET sequence = old.sequence WHERE name = new.name;
END;

-- a pair's record is read in parts
CREATE TRIGGER flaw AFTER INSERT ON gateway_entry BEGIN
    DELETE FROM gateway_entry WHERE sequence < new.sequence - 1;
END;

-- deleting ends of a pair's record
CREATE TRIGGER flaw AFTER INSERT ON gateway_entry BEGIN
    UPDATE gateway_entry SET ended_at = new.ended_at - 1 WHERE sequence = new.sequence;
END;

-- who was seen by a gateway that was replaced
CREATE TRIGGER flaw AFTER UPDATE OF fence ON gateway_pair BEGIN
    UPDATE gateway_pair SET fence = old.fence, owner = old.owner WHERE name = new.name;
END;

-- an event is in the outbox exactly when
CREATE TRIGGER flaw BEFORE INSERT ON outbox BEGIN SELECT RAISE(IGNORE); END;

-- a change of an app and its event are one
CREATE TRIGGER flaw BEFORE DELETE ON outbox BEGIN SELECT RAISE(IGNORE); END;

-- events are due of apps with a callback
CREATE TRIGGER flaw AFTER INSERT ON app BEGIN
    UPDATE app SET callback_stopped_at = NULL WHERE id = new.id;
END;

-- an event that was claimed is nobody else's
CREATE TRIGGER flaw AFTER UPDATE OF lease ON outbox WHEN new.lease IS NOT NULL BEGIN
    UPDATE outbox SET due_at = new.due_at - 1 WHERE id = new.id;
END;

-- a lease that has ended gives its event back
CREATE TRIGGER flaw AFTER UPDATE OF lease ON outbox WHEN new.lease IS NOT NULL AND old.lease IS NOT NULL BEGIN
    UPDATE outbox SET lease = old.lease WHERE id = new.id;
END;

-- of 16 that claim events
CREATE TRIGGER flaw AFTER UPDATE OF lease ON outbox BEGIN UPDATE outbox SET due_at = old.due_at WHERE id = new.id; END;

-- an attempt that failed is due again
CREATE TRIGGER flaw AFTER UPDATE OF attempts ON outbox BEGIN
    UPDATE outbox SET due_at = new.due_at + 1 WHERE id = new.id;
END;

-- events are sent once more by their name
CREATE TRIGGER flaw AFTER UPDATE OF state ON outbox BEGIN UPDATE outbox SET state = new.state; END;

-- old events are given up and deleted
CREATE TRIGGER flaw AFTER DELETE ON outbox BEGIN DELETE FROM outbox; END;

-- an open store passes its own check
CREATE TRIGGER flaw BEFORE UPDATE ON heartbeat BEGIN SELECT RAISE(ABORT, 'broken'); END;

-- what was answered survives closing
CREATE TRIGGER flaw AFTER INSERT ON ledger BEGIN UPDATE token SET spent_at = NULL; END;

-- what is in flight when the store closes
CREATE TRIGGER flaw AFTER UPDATE OF spent_at ON token BEGIN DELETE FROM billing_day; END;
DROP TRIGGER ledger_is_never_shortened;
CREATE TRIGGER flaw2 AFTER INSERT ON ledger BEGIN DELETE FROM ledger WHERE id = new.id; END;
