/// A field as a message declares it, for the test that compares declarations with the schema.
struct DeclaredField {
  /// The kind of value.
  indirect enum Kind {
    case unsigned
    case signed
    case flag
    case choice
    case text
    case data
    case message(any DeclaredMessage.Type)
    case repeated(Kind)
    case optional(Kind)
    case oneofCase(Kind)
  }

  var number: UInt32
  var kind: Kind
}

/// The fields that a message declares, in order.
final class DeclarationList {
  private(set) var fields: [DeclaredField] = []

  /// Records a field.
  func add(_ number: UInt32, _ kind: DeclaredField.Kind) { fields.append(DeclaredField(number: number, kind: kind)) }

  /// Returns the fields that a message declares.
  static func fields(of message: (some DeclaredMessage).Type) -> [DeclaredField] {
    let list = DeclarationList()
    _ = message.schema.layout.pack { WireFields.fill($0, with: message.init(), list) }
    return list.fields
  }
}
