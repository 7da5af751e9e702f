"""A server of the fediverse in memory: Mastodon, GoToSocial, Akkoma or Pixelfed, as their clients see them (README.md)."""
