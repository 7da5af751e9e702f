/// Guarantee about the disk when a commit returns; SQLite's `synchronous`
/// (https://sqlite.org/pragma.html#pragma_synchronous).
package enum Durability: String, Sendable {
  /// The commit is on the disk.
  case full = "FULL"
  /// No guarantee: the kernel decides what is written when.
  case off = "OFF"
}
