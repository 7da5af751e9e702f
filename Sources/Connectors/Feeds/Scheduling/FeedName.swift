/// The name of a feed, as the daemon gives it.
typealias FeedName = String
