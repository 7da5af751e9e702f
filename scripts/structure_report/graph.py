"""The uses between the files of a module, their cycles, and the limits of a module."""

from collections import Counter

# Limits of a module.
CYCLE_FILES = 6
CYCLE_LINES = 1500
FUNCTION_LINES = 60
OPEN_PROPERTIES = 12
EXTENDING_FILES = 4
# Names that two modules may have: each program has its options, and a client's connection is no connection of SQLite.
SHARED_NAMES = {"Connection", "Options", "UsageError"}


def uses(files, foreign=frozenset()):
    """Returns {file: files whose types or members it uses}.

    A member counts only if a single file declares its name. After a dot it counts anywhere; without a dot, only where its
    type is extended. After a dot, names are ambiguous and do not count if they are also `foreign`, members of an imported
    module, or declared by the file itself.
    """
    types, members = {}, Counter()
    for file in files:
        for name in file.types:
            types.setdefault(name, file.name)
        members.update(list(file.members))
    owner = {name: (file.name, type) for file in files for name, type in file.members.items() if members[name] == 1}
    edges = {}
    for file in files:
        found = {types[word] for word in file.words if word in types}
        own = file.types | file.extends
        found |= {owner[word][0] for word in file.dotted if word in owner and word not in foreign | file.declared}
        found |= {owner[word][0] for word in file.bare if word in owner and owner[word][1] in own}
        edges[file.name] = sorted(found - {file.name})
    return edges


def folders(files):
    """Returns {folder: folders whose types it uses}; files outside of folders count as the folder "."."""

    def folder(name):
        return name.split("/")[0] if "/" in name else "."

    types = {}
    for file in files:
        for name in file.types:
            types.setdefault(name, folder(file.name))
    edges = {folder(file.name): set() for file in files}
    for file in files:
        edges[folder(file.name)] |= {types[word] for word in file.words if word in types} - {folder(file.name)}
    return {name: sorted(others) for name, others in edges.items()}


def cycles(edges):
    """Returns the strongly connected components (Tarjan), single files included, each sorted; used ones come first."""
    index, low, on_stack, stack, found = {}, {}, set(), [], []

    def visit(start):
        work = [(start, iter(edges[start]))]
        index[start] = low[start] = len(index)
        stack.append(start)
        on_stack.add(start)
        while work:
            node, rest = work[-1]
            for other in rest:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(edges[other])))
                    break
                if other in on_stack:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    component = []
                    while True:
                        member = stack.pop()
                        on_stack.discard(member)
                        component.append(member)
                        if member == node:
                            break
                    found.append(sorted(component))

    for node in sorted(edges):
        if node not in index:
            visit(node)
    return found


def violations(files, edges):
    """Returns what exceeds the limits above: (rule, what, size)."""
    lines = {file.name: file.lines for file in files}
    found = []
    for cycle in cycles(edges):
        size = sum(lines[name] for name in cycle)
        if len(cycle) > CYCLE_FILES or (len(cycle) > 1 and size > CYCLE_LINES):
            found.append(("cycle", f"{cycle[0]} and {len(cycle) - 1} more", len(cycle)))
    for file in files:
        for line, length in file.long_functions:
            if length > FUNCTION_LINES:
                found.append(("function", f"{file.name}:{line}", length))
        for name, properties in sorted(file.stored.items()):
            if len(properties) > OPEN_PROPERTIES:
                found.append(("open properties", name, len(properties)))
    extended = Counter(name for file in files for name in file.extends)
    own = {name for file in files for name in file.types}
    for name, count in sorted(extended.items()):
        if name in own and count > EXTENDING_FILES:
            found.append(("extensions", name, count))
    return found


def namesakes(modules):
    """Returns the types that several of `modules`, {name: files}, declare for all of their files: (name, modules)."""
    owners = {}
    for module, files in modules.items():
        for name in {name for file in files for name in file.types}:
            owners.setdefault(name, []).append(module)
    return sorted((name, names) for name, names in owners.items() if len(names) > 1 and name not in SHARED_NAMES)
