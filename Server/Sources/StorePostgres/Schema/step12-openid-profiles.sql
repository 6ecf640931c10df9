-- How strictly an OpenID client is held.

ALTER TABLE openid_client ADD COLUMN requires_pkce boolean NOT NULL DEFAULT true;
ALTER TABLE openid_client ADD COLUMN binds_access_tokens boolean NOT NULL DEFAULT false;
ALTER TABLE openid_client ADD COLUMN profile text NOT NULL DEFAULT 'openid';
