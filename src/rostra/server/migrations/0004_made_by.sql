-- How many unfinished matches somebody has made is counted before they make another one.
CREATE INDEX matches_by_creator ON matches (creator, status);
