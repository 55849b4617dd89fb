-- A person has a token for each device. `people.token` stays the first one, for servers of earlier versions.
CREATE TABLE tokens (
    hash TEXT PRIMARY KEY,  -- SHA-256 of the token; its first 12 digits name the device
    person TEXT NOT NULL REFERENCES people,
    label TEXT NOT NULL,
    created BIGINT NOT NULL,
    used BIGINT NOT NULL  -- about when it was last used
);
CREATE INDEX tokens_by_person ON tokens (person);
INSERT INTO tokens (hash, person, label, created, used) SELECT token, id, '', created, created FROM people;

-- What can be used once by somebody who has it: to sign in, or to become a friend.
CREATE TABLE codes (
    place TEXT PRIMARY KEY,  -- the part before the hyphen, by which it is found
    secret TEXT NOT NULL,  -- SHA-256 of the part after it
    kind TEXT NOT NULL,  -- code, link, friend
    person TEXT NOT NULL REFERENCES people,
    created BIGINT NOT NULL,
    until BIGINT NOT NULL,
    tries BIGINT NOT NULL
);
CREATE INDEX codes_by_person ON codes (person);
