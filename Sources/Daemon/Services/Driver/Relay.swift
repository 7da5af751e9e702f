/// Leads from a closure that may outlive an object to that object, which clears `target` when it goes.
///
/// What a weak reference does, without what it costs: an object that anything refers to weakly is counted in a table of
/// its own, and so more slowly, with every reference to it.
final class Relay<Target: AnyObject> {
  unowned var target: Target?

  init() {}
}
