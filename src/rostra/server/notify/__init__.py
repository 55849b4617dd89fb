"""Telling people that it is their turn when the page is closed: Web Push, e-mail, webhooks.

From an entry to a message: `bell` says whom it calls, the store keeps that together with the entry (`box`), `postman`
claims and sends it (`push`, `calls`, `server.mail`) with what `letters` writes, outside `quiet` hours. `doors` is for
the settings of a person, and `office` puts it together. Without a public URL in the settings nothing of this runs.
"""
