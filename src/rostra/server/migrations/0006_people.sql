-- What others may see of a person. The handle is made when it is first needed; it opens nothing.
CREATE TABLE profiles (
    person TEXT PRIMARY KEY REFERENCES people,
    handle TEXT NOT NULL UNIQUE,
    public BIGINT NOT NULL
);

-- Each friendship is two rows.
CREATE TABLE friends (
    person TEXT NOT NULL REFERENCES people,
    friend TEXT NOT NULL REFERENCES people,
    since BIGINT NOT NULL,
    PRIMARY KEY (person, friend)
);

CREATE TABLE blocks (
    person TEXT NOT NULL REFERENCES people,
    other TEXT NOT NULL REFERENCES people,
    at BIGINT NOT NULL,
    PRIMARY KEY (person, other)
);

-- For the operators: what somebody says about who sat in a seat.
CREATE TABLE reports (
    person TEXT NOT NULL REFERENCES people,
    match TEXT NOT NULL,
    seat BIGINT NOT NULL,
    other TEXT NOT NULL,
    reason TEXT NOT NULL,
    text TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (person, match, seat)
);

-- Matches that are over and accounted for in what follows. The primary key makes it happen once.
CREATE TABLE noted (
    match TEXT PRIMARY KEY,
    at BIGINT NOT NULL,
    rated BIGINT NOT NULL
);

-- How each seat of a match did that was played to its end, by who sat there when it began.
CREATE TABLE results (
    match TEXT NOT NULL,
    seat BIGINT NOT NULL,
    person TEXT,
    name TEXT NOT NULL,
    bot TEXT,
    game TEXT NOT NULL,
    seats BIGINT NOT NULL,
    points BIGINT NOT NULL,
    place BIGINT NOT NULL,
    won BIGINT NOT NULL,
    listed BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (match, seat)
);
CREATE INDEX results_by_person ON results (person, at);

-- OpenSkill by game and number of seats; a player is a person's id, or bot: and a bot's name.
CREATE TABLE ratings (
    player TEXT NOT NULL,
    game TEXT NOT NULL,
    seats BIGINT NOT NULL,
    mu DOUBLE PRECISION NOT NULL,
    sigma DOUBLE PRECISION NOT NULL,
    games BIGINT NOT NULL,
    PRIMARY KEY (player, game, seats)
);

-- Whoever updates ratings updates this row first, so that it happens one after the other.
CREATE TABLE rating_lock (n BIGINT NOT NULL);
INSERT INTO rating_lock (n) VALUES (0);
