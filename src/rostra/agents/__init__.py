"""Agents at our tables: a bot of one's own at a live match, and players that read and write words."""
