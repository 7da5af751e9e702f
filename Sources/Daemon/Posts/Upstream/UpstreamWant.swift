public import Dates

/// What a person wants the program of a source to bring (docs/UPSTREAM.md, "Wants").
public enum UpstreamWant: Equatable, Sendable {
  /// What is new in a feed.
  case refresh(feed: String)
  /// Posts that a login can reach.
  case fetch(UpstreamFetch, login: String)
}

/// Posts that a program can bring when it is asked for them; IDs are the source's.
public enum UpstreamFetch: Equatable, Sendable {
  /// The conversation of a post.
  case conversation(post: String)
  /// Posts of an author.
  case author(String)
  /// Posts and people that match a text.
  case search(String)
  /// Posts of a gap: its ends, and the IDs of the posts next to it, empty where there is none.
  case gap(newer: Instant, older: Instant, above: String, below: String)
}
