-- What operators did, in order. The primary key is the lock, as in `log`. Running servers follow this table.
CREATE TABLE audit (
    number BIGINT PRIMARY KEY,
    at BIGINT NOT NULL,
    who TEXT NOT NULL,
    what TEXT NOT NULL,  -- close, delete, ban, leave, unban, revoke, erase, export, backup, restore
    about TEXT NOT NULL,  -- the match or person, or a file
    why TEXT NOT NULL
);

-- People who may not play here any more.
CREATE TABLE bans (
    person TEXT PRIMARY KEY REFERENCES people,
    at BIGINT NOT NULL,
    why TEXT NOT NULL
);
