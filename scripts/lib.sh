# Functions shared by the scripts. Sourced by bash from anywhere; sets `root` to the repository and makes it the working folder.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 1
program=scripts/$(basename "$0")

# Prints a message for people to stderr; stdout is for results.
say() { printf '%s\n' "$*" >&2; }

# die PROBLEM [ADVICE...]: prints one line with the problem and lines with advice, and exits.
die() {
  printf '%s: %s\n' "$program" "$1" >&2
  shift
  [ $# -eq 0 ] || printf '  %s\n' "$@" >&2
  exit 1
}

# Prints the usage: the comment at the head of the calling script, without its first two lines (the interpreter and an empty comment).
usage() { sed -n '3,/^[^#]/{/^#/s/^# \{0,1\}//p}' "$0"; }

# Runs the compiler with a temporary folder of its own, since it leaves folders there (swiftlang/swift-driver#2049).
swift() {
  local folder code=0
  folder=$(mktemp -d)
  TMPDIR=$folder command swift "$@" || code=$?
  rm -rf "$folder"
  return "$code"
}

# Finds `swift` on the PATH or where its installers put it, and adds it to the PATH. Fails if it is too old.
need_swift() {
  local folder version
  if ! type -P swift >/dev/null; then
    for folder in "${SWIFTLY_BIN_DIR:-$HOME/.local/share/swiftly/bin}" "$HOME/.swiftly/bin" {/opt,/usr/share}/swift/usr/bin; do
      if [ -x "$folder/swift" ]; then
        PATH=$folder:$PATH
        break
      fi
    done
  fi
  type -P swift >/dev/null ||
    die "no Swift compiler found" "Install Swift 6.2 or later from https://www.swift.org/install/linux/" \
      "and make sure that 'swift --version' works in this shell."
  version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1) || version=
  case $version in
    "") die "'swift --version' does not work here: $(type -P swift)" "Run it by hand to see its output." ;;
    [0-5].* | 6.[01]) die "Swift $version is too old; version 6.2 or later is required" "See https://www.swift.org/install/linux/" ;;
  esac
}
