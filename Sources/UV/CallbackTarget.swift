/// The object that callbacks of the loop are for, which they may outlive: it clears `object` when it is released.
///
/// Does what a weak reference does, at a lower cost: reference counting of an object with weak references goes through
/// a side table, and so is slower for every reference to it. `Relay` does the same in Services, which does not import
/// this module.
final class CallbackTarget<Object: AnyObject> {
  unowned var object: Object?

  init() {}
}
