/// What is on the disk when a commit returns; SQLite's `synchronous`
/// (https://sqlite.org/pragma.html#pragma_synchronous).
package enum Durability: String, Sendable {
  /// The commit.
  case full = "FULL"
  /// Whatever the kernel has seen fit to write.
  case off = "OFF"
}
