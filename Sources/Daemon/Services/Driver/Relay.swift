/// Gives a closure that may outlive an object access to it. The object clears `target` in its deinitialiser.
///
/// Used instead of a weak reference, because a weakly referenced object keeps its counts in a side table, which slows
/// every reference to it.
final class Relay<Target: AnyObject> {
  unowned var target: Target?

  init() {}
}
