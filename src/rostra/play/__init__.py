"""One sitting of a game: match, transcript, verifiable dice."""
