-- Clients that ask people on their phones (CIBA).

-- How the client learns of a decision: poll, ping; NULL if it may not ask.
ALTER TABLE openid_client ADD COLUMN backchannel_delivery text;
ALTER TABLE openid_client ADD COLUMN backchannel_notification text;
