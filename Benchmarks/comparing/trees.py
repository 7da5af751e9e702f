"""Builds the two trees of a comparison, each from its own sources: a worktree of a commit, and the working tree."""
import pathlib
import shutil
import subprocess
import time

PRODUCTS = ("stack-daemon", "stack-client")
PACKAGES = ("layout", "search")  # of Benchmarks, compiled from the tree's own Sources
SWIFT = ("swift", "build", "--quiet", "-c", "release", "--static-swift-stdlib")

# Until shortly after 93cdc55 the manifest of each package lacked a module of the daemon: the module, the folder that imports it, and the
# replacements in the manifest.
REPAIRS = {
    "layout": ("Search", "Sources/Daemon/Engine", [
        ('.target(name: "Posts",', '.target(name: "Search", dependencies: ["Dates", "Posts"], path: "Sources/Daemon/Search", '
                                   'swiftSettings: settings),\n    .target(name: "Posts",'),
        ('"Posts", "TextLayout",', '"Posts", "Search", "TextLayout",')]),
    "search": ("ViewState", "Sources/Daemon/Store", [
        ('.target(name: "Posts",', '.target(name: "ViewState", path: "Sources/Wire/ViewState", swiftSettings: settings),\n'
                                   '    .target(name: "Posts",'),
        ('["CSQLite",', '["CSQLite", "ViewState",')]),
}


def output(*command, folder):
    """Returns the output of a command."""
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def worktree(root, commit):
    """Returns the worktree of a commit in .build/compare; makes it if necessary."""
    try:
        name = output("git", "rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}", folder=root)
    except subprocess.CalledProcessError:
        raise SystemExit(f"no commit {commit} in this repository") from None
    folder = root / ".build" / "compare" / name[:12]
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["git", "worktree", "add", "--quiet", "--force", "--detach", folder, name], cwd=root, check=True)
    head = output("git", "rev-parse", "HEAD", folder=folder)
    if head != name or output("git", "status", "--porcelain", "--untracked-files=no", folder=folder):
        raise SystemExit(f"{folder} no longer matches commit {commit}; remove it with: git worktree remove --force {folder}")
    return folder.resolve()


def describe(tree):
    """Returns a name for the state of a tree."""
    return output("git", "describe", "--always", "--dirty", folder=tree)


def build(tree, python, log):
    """Builds a tree's daemon, client, benchmark packages, load client and Python messages."""
    began = time.monotonic()
    log(f"building {tree}")
    for product in PRODUCTS:
        subprocess.run([*SWIFT, "--package-path", tree, "--product", product], check=True)
    out = tree / ".build" / "benchmarks"
    for name in PACKAGES:
        subprocess.run([*SWIFT, "--package-path", package(tree, name, out), "--scratch-path", out / name], check=True)
    build_load(tree, out)
    generate(tree, out / "stubs", python)
    log(f"built in {time.monotonic() - began:.0f} s")


def package(tree, name, out):
    """Returns the folder of a benchmark package: the tree's own, or a copy of links to it with a repaired manifest."""
    own = tree / "Benchmarks" / name
    manifest = (own / "Package.swift").read_text(encoding="utf-8")
    module, importer, changes = REPAIRS[name]
    if f'name: "{module}"' in manifest or not imports(tree / importer, module):
        return own
    copy = out / "packages" / name
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir(parents=True)
    for path in own.iterdir():
        if path.is_dir() and not path.name.startswith("."):
            (copy / path.name).symlink_to(path.resolve())
    for old, new in changes:
        manifest = manifest.replace(old, new)
    (copy / "Package.swift").write_text(manifest, encoding="utf-8")
    return copy


def imports(folder, module):
    """Returns True if a Swift source in a folder imports a module."""
    return any(f"import {module}\n" in source.read_text(encoding="utf-8") for source in folder.rglob("*.swift"))


def build_load(tree, out):
    """Builds the load client, with the tree's own script if that can build it alone."""
    streaming = tree / "Benchmarks" / "streaming"
    if "--only-load" in (streaming / "build").read_text(encoding="utf-8"):
        subprocess.run([streaming / "build", "--only-load"], check=True)
    else:
        sources = sorted((streaming / "load").glob("*.c"))
        subprocess.run(["gcc", "-std=c11", "-O2", "-g", "-o", out / "load", *sources, "-lnghttp2"], check=True)


def generate(tree, stubs, python):
    """Generates the Python messages of a tree's own schema.

    Each package gets an __init__.py, so that stubs elsewhere on the path cannot be mixed into it.
    """
    shutil.rmtree(stubs, ignore_errors=True)
    stubs.mkdir(parents=True)
    protos = sorted(str(path.relative_to(tree / "Proto")) for path in (tree / "Proto").rglob("*.proto"))
    subprocess.run([python, "-m", "grpc_tools.protoc", "-I", tree / "Proto", f"--python_out={stubs}", f"--grpc_python_out={stubs}",
                    *protos], check=True)
    for folder in own_packages(stubs):
        for each in [folder, *(path for path in folder.rglob("*") if path.is_dir())]:
            (each / "__init__.py").touch()


def own_packages(stubs):
    """Returns the folders of the schema's own packages; google and grpc belong to the libraries of these names."""
    return [folder for folder in sorted(pathlib.Path(stubs).iterdir()) if folder.is_dir() and folder.name not in ("google", "grpc")]
