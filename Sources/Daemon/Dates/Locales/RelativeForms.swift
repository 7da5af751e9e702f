/// CLDR's categories of numbers that differ in grammar.
enum PluralCategory: Hashable, Sendable {
  case zero, one, two, few, many, other
}

/// A pattern for each plural category; `{0}` in it is the number; some go without, as a dual does.
struct PluralForms: Sendable {
  private let zero, one, two, few, many: String?
  private let other: String

  /// The patterns; one that is left out is as that for all other numbers.
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

  /// The pattern for numbers of a category.
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

/// What to say of a time so many units ago, or ahead, in one width.
struct RelativeForms: Sendable {
  private let forms: [PluralForms]

  /// The forms of each unit; the narrow ones go up to days, for then it is the date that is said (rule 24).
  init(
    second: PluralForms, minute: PluralForms, hour: PluralForms, day: PluralForms, month: PluralForms? = nil,
    year: PluralForms? = nil
  ) {
    forms = [second, minute, hour, day] + [month, year].compactMap(\.self)
  }

  subscript(unit: TimeUnit) -> PluralForms { forms[Int(unit.rawValue)] }
}

/// Everything one locale has to say of relative times.
struct RelativeTimes: Sendable {
  let now: String
  let narrowNow: String
  let past: RelativeForms
  let future: RelativeForms
  let narrowPast: RelativeForms
  let narrowFuture: RelativeForms
}
