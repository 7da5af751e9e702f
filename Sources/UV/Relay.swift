/// Leads from a closure that may outlive an object to that object, which clears `target` when it is released.
///
/// Does what a weak reference does, at a lower cost: reference counting of an object with weak references goes through
/// a side table, and so is slower for every reference to it.
final class Relay<Target: AnyObject> {
  unowned var target: Target?

  init() {}
}
