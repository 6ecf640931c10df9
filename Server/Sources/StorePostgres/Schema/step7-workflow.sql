-- By which ways an app's phones log in. Conventions as in step 1.

ALTER TABLE app ADD COLUMN workflow text NOT NULL DEFAULT 'one-tap';
