-- Clients that authenticate by mutual TLS, and whose access tokens are bound to their certificate.

ALTER TABLE openid_client ADD COLUMN certificate_name text;
ALTER TABLE openid_client ADD COLUMN binds_to_certificate boolean NOT NULL DEFAULT false;
