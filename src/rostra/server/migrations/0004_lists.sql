-- What lists need, so that no list replays a match; kept by the entry that changes it. Rows of earlier versions are
-- filled in while the server runs (`server.summing`).
ALTER TABLE matches ADD COLUMN number BIGINT NOT NULL DEFAULT 0;  -- of the last entry that these columns account for
ALTER TABLE matches ADD COLUMN turn BIGINT;  -- the seat to decide
ALTER TABLE matches ADD COLUMN seated TEXT NOT NULL DEFAULT '';  -- JSON: who sits where; empty: not filled in yet
ALTER TABLE matches ADD COLUMN result TEXT;  -- JSON: how it ended
ALTER TABLE matches ADD COLUMN trouble TEXT;  -- why it cannot be played on, if so
ALTER TABLE matches ADD COLUMN keeper TEXT;  -- the process that acts for its bots and clocks

-- By seat that a person holds: the name in lower case for the search, what its match is sorted and chosen by, and since
-- when everybody waits for this person.
ALTER TABLE seats ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE seats ADD COLUMN created BIGINT NOT NULL DEFAULT 0;
ALTER TABLE seats ADD COLUMN listed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE seats ADD COLUMN done BIGINT NOT NULL DEFAULT 0;  -- 1: the match is over
ALTER TABLE seats ADD COLUMN awaited BIGINT;
UPDATE seats SET
    created = (SELECT created FROM matches WHERE id = match),
    listed = (SELECT listed FROM matches WHERE id = match),
    done = (SELECT CASE WHEN status = 'over' THEN 1 ELSE 0 END FROM matches WHERE id = match)
WHERE match IN (SELECT id FROM matches);

CREATE INDEX matches_open ON matches (created, id) WHERE listed = 1 AND status <> 'over';
CREATE INDEX matches_by_game ON matches (game, created, id) WHERE listed = 1;
CREATE INDEX matches_made ON matches (creator, created, id) WHERE status <> 'over';
CREATE INDEX matches_made_over ON matches (creator, created, id) WHERE status = 'over';
DROP INDEX matches_by_status;
CREATE INDEX seats_of_person ON seats (person, done, created, match);
CREATE INDEX seats_by_name ON seats (name, created, match) WHERE listed = 1;
CREATE INDEX seats_awaited ON seats (person, awaited, match) WHERE awaited IS NOT NULL;
DROP INDEX seats_by_person;

-- The processes of the server, and until when each is taken to be alive.
CREATE TABLE servers (
    name TEXT PRIMARY KEY,
    until BIGINT NOT NULL
);
