-- One dialect for both databases: names and hashes are TEXT, times are milliseconds since 1970. What follows the mark
-- "sqlite:" is for SQLite alone.
CREATE TABLE people (
    id TEXT PRIMARY KEY,
    token TEXT NOT NULL UNIQUE,  -- SHA-256 of the token
    name TEXT NOT NULL,
    created BIGINT NOT NULL
);

CREATE TABLE matches (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    rules BIGINT NOT NULL,
    body TEXT NOT NULL,  -- JSON: seats, options and settings, as they were asked for
    seed TEXT NOT NULL,  -- of the dice; secret until the match is over
    creator TEXT NOT NULL REFERENCES people,
    listed BIGINT NOT NULL,
    status TEXT NOT NULL,  -- waiting, playing, over
    created BIGINT NOT NULL,
    changed BIGINT NOT NULL,  -- when its status or seats changed last
    due BIGINT  -- when the house has something to do: a bot, a clock, a choice to confirm
);
CREATE INDEX matches_by_due ON matches (due) WHERE due IS NOT NULL;
CREATE INDEX matches_by_status ON matches (listed, status, created);

-- Who holds or held a seat, so that everybody finds the own matches.
CREATE TABLE seats (
    match TEXT NOT NULL REFERENCES matches,
    seat BIGINT NOT NULL,
    person TEXT NOT NULL REFERENCES people,
    PRIMARY KEY (match, seat)
);
CREATE INDEX seats_by_person ON seats (person);

-- All that happened. The primary key is the lock: an entry is stored once, whoever comes first.
CREATE TABLE log (
    match TEXT NOT NULL REFERENCES matches,
    number BIGINT NOT NULL,
    at BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (match, number)
) -- sqlite: WITHOUT ROWID
;
