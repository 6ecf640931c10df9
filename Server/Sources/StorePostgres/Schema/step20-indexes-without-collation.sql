-- No index depends on the database's collation, which an upgrade of the system's libraries can change. Conventions as in step 1.

DROP INDEX master_key_in_use;
CREATE UNIQUE INDEX master_key_in_use ON master_key (state COLLATE "C") WHERE state <> 'retired';
DROP INDEX consent_content_by_digest;
CREATE UNIQUE INDEX consent_content_by_digest ON consent_content (digest, md5(text) COLLATE "C");
