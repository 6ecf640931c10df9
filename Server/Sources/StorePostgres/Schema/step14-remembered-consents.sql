-- Consents that people had remembered are credentials of a kind of their own.

ALTER TABLE openid_client ADD COLUMN remembers_consent boolean NOT NULL DEFAULT false;
-- When a remembered consent last bought a code.
ALTER TABLE openid_credential ADD COLUMN used_at bigint;
