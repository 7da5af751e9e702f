/// CLDR's plural categories.
enum PluralCategory: Hashable, Sendable {
  case zero, one, two, few, many, other
}

/// A pattern for each plural category. `{0}` is the number; some patterns have no number, such as a dual.
struct PluralForms: Sendable {
  private let zero, one, two, few, many: String?
  private let other: String

  /// Creates the forms; an omitted one is the same as `other`.
  init(
    zero: String? = nil, one: String? = nil, two: String? = nil, few: String? = nil, many: String? = nil, other: String
  ) {
    self.zero = zero
    self.one = one
    self.two = two
    self.few = few
    self.many = many
    self.other = other
  }

  /// Returns the pattern for a plural category.
  subscript(category: PluralCategory) -> String {
    let form =
      switch category {
      case .zero: zero
      case .one: one
      case .two: two
      case .few: few
      case .many: many
      case .other: other as String?
      }
    return form ?? other
  }
}

/// The patterns for one direction (ago or ahead) and one width.
struct RelativeForms: Sendable {
  private let forms: [PluralForms]

  /// Creates the forms of each unit. Narrow forms end at days, since longer distances are written as a date
  /// (docs/BEHAVIOUR.md, rule 24).
  init(
    second: PluralForms, minute: PluralForms, hour: PluralForms, day: PluralForms, month: PluralForms? = nil,
    year: PluralForms? = nil
  ) {
    forms = [second, minute, hour, day] + [month, year].compactMap(\.self)
  }

  subscript(unit: TimeUnit) -> PluralForms { forms[Int(unit.rawValue)] }
}

/// All patterns of one locale for relative times.
struct RelativeTimes: Sendable {
  let now: String
  let narrowNow: String
  let past: RelativeForms
  let future: RelativeForms
  let narrowPast: RelativeForms
  let narrowFuture: RelativeForms
}
