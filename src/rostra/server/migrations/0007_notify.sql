-- Notifications of people whose page is closed, and vacations.
CREATE TABLE server_keys (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL  -- a private key; whoever has it can send messages in the name of this server
);

CREATE TABLE notify (
    person TEXT PRIMARY KEY REFERENCES people ON DELETE CASCADE,
    body TEXT NOT NULL  -- JSON: language, time zone, quiet hours
);

CREATE TABLE addresses (
    id TEXT PRIMARY KEY,
    person TEXT NOT NULL REFERENCES people ON DELETE CASCADE,
    channel TEXT NOT NULL,  -- email, push, webhook
    target TEXT NOT NULL,
    keys TEXT NOT NULL,  -- of a push subscription (JSON) or a webhook; of an e-mail address what its unsubscribe link proves
    kinds TEXT NOT NULL,  -- what is sent there, each word between blanks
    confirmed BIGINT NOT NULL,  -- when; 0: not yet
    code TEXT NOT NULL,  -- SHA-256 of the code that confirms it
    guesses BIGINT NOT NULL,
    failures BIGINT NOT NULL,  -- notifications in a row that could not be delivered
    created BIGINT NOT NULL
);
CREATE UNIQUE INDEX addresses_once ON addresses (person, channel, target);

-- What is to be sent; a newer one of the same kind takes the place of an older one.
CREATE TABLE outbox (
    address TEXT NOT NULL REFERENCES addresses ON DELETE CASCADE,
    match TEXT NOT NULL,
    kind TEXT NOT NULL,  -- turn, offer, nudge, over
    number BIGINT NOT NULL,  -- the entry that led to it
    seat BIGINT NOT NULL,
    due BIGINT NOT NULL,
    tries BIGINT NOT NULL,
    PRIMARY KEY (address, match, kind)
);
CREATE INDEX outbox_by_due ON outbox (due);
CREATE INDEX outbox_by_match ON outbox (match);

CREATE TABLE vacations (
    person TEXT NOT NULL REFERENCES people ON DELETE CASCADE,
    since BIGINT NOT NULL,
    until BIGINT NOT NULL,
    PRIMARY KEY (person, since)
);
