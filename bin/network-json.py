"""Prints what a game or mod declares in network.py as JSON, which `tw-snap --schema` reads.

    python3 network-json.py datasrc/network.py > network.json
    python3 network-json.py datasrc/seven/network.py > network-07.json

network.py is run, as the build of the game runs it. docs/schemas.md of tw-snap describes the JSON.
"""

import importlib
import json
import os
import re
import sys
import types

# Constants of other files that are the same in all games. MAX_CLIENTS and the like are a mod's own: a bound with one of
# them is printed as it stands, and is a bound whose value is not known.
shared = {
    "min_int": -(2**31),
    "max_int": 2**31 - 1,
    "MIN_TICK": 0,
    "MAX_TICK": 0x6FFFFFFF,
    "WEAPON_GAME": -3,
    "WEAPON_SELF": -2,
    "WEAPON_WORLD": -1,
    "TuneZone::OVERRIDE_NONE": -1,
    "FinishTime::UNSET": -2,
    "FinishTime::NOT_FINISHED_MILLIS": -1,
}
constants = dict(shared)


def load(path):
    """Runs network.py. Some import `datatypes`, others `.datatypes`: its folder is a package as well."""
    folder, file = os.path.split(os.path.abspath(path))
    package = types.ModuleType("game")
    package.__path__ = [folder]
    sys.modules["game"] = package
    sys.path.insert(0, folder)
    for module in ("datatypes", "game.datatypes"):
        for kind in ("NetEnum", "NetFlag"):
            keep_values(getattr(importlib.import_module(module), kind, None))
    return importlib.import_module("game." + os.path.splitext(file)[0])


def keep_values(kind):
    """NetEnum and NetFlag of Teeworlds 0.7 forget the values that they are made of."""
    if kind is None:
        return
    made = kind.__init__

    def init(self, name, values, *others, **named):
        made(self, name, values, *others, **named)
        self.values = values

    kind.__init__ = init


# --- names, as those in the tables of tw-snap


def plain(text):
    """a-z, 0-9 and _, a letter first"""
    text = re.sub("[^a-z0-9]+", "_", text.lower())
    return (text if re.match("[a-z]", text) else "n_" + text.lstrip("_"))[:64]


def snake(name):
    """HookTick: hook_tick, DDNetLaser: ddnet_laser, ClientID: client_id"""
    name = re.sub("DD(Net|Race)", lambda match: "Dd" + match[1].lower(), name)
    name = re.sub("([a-z0-9])([A-Z])", r"\1_\2", name)
    return plain(re.sub("([A-Z])([A-Z][a-z])", r"\1_\2", name))


def field_name(field):
    """m_HookTick: hook_tick, m_aaSkinPartNames[6][6]: skin_part_names"""
    return snake(re.sub("^m_((a|p|ap|aa|b|f)(?=[A-Z]))?(?=.)", "", field.name.split("[")[0]))


# --- enumerations, flags and constants


def names_of(values):
    """The names of an Enum or Flags by their numbers."""
    is_flags = type(values).__name__ == "Flags"
    start = getattr(values, "start", 0)
    return {1 << i if is_flags else start + i: plain(name) for i, name in enumerate(values.values)}


def number(text):
    """The value of an expression in C++; None if it has a constant that is not known."""
    try:
        return int(eval(re.sub(r"\b[A-Za-z_][\w:]*", lambda match: f"({constants[match[0]]})", str(text))))
    except (KeyError, SyntaxError, ValueError):
        return None


def read_constants(lists, header):
    for values in lists:
        names = names_of(values)
        constants.update({f"{values.name}_{name.upper()}": value for value, name in names.items()})
        constants[f"NUM_{values.name}S"] = max(names, default=-1) + 1
    header = re.sub(r"/\*.*?\*/|//[^\n]*", " ", header, flags=re.S)
    for body in re.findall(r"\benum\b[^{};]*\{([^}]*)\}", header):
        value = -1
        for name, text in re.findall(r"([A-Za-z_]\w*)\s*(?:=([^,]*))?(?:,|$)", body.strip()):
            value = number(text.strip()) if text else value + 1
            if value is None:
                break
            constants[name] = value


def names_between(low, high):
    """The names from one constant of an enumeration to another: TEAM_RED to TEAM_BLUE, 0 to NUM_PICKUPS-1."""
    prefixes = re.findall(r"^\s*([A-Z]+_)[A-Z]\w*\s*$", f"{low}\n{high}", re.M)
    prefixes += [name + "_" for name in re.findall(r"^\s*NUM_(\w+)S\s*-\s*1\s*$", high)]
    least, most = number(low), number(high)
    if not prefixes or prefixes[0] in ("NUM_", "MAX_", "MIN_") or least is None:
        return {}
    names = {}
    for name, value in constants.items():
        is_between = least <= value and (most is None or value <= most)
        if is_between and name.startswith(prefixes[0]) and name not in shared:
            names.setdefault(value, plain(name[len(prefixes[0]) :]))
    return names


# --- fields


def range_of(field):
    names = names_between(field.min, field.max)
    bounds = [text if number(text) is None else number(text) for text in (field.min, field.max)]
    if re.fullmatch(r"\s*MAX_CLIENTS\s*-\s*1\s*", field.max) and number(field.min) in (-3, -2, -1, 0):
        kind = {"client": bounds[0]}
    else:
        kind = {"int": [None if bound in (shared["min_int"], shared["max_int"]) else bound for bound in bounds]}
    return {**kind, "names": names} if names else kind


def array(count, of):
    """An array of arrays is as many values one after the other."""
    return {"list": count * of["list"], "of": of["of"]} if "list" in of else {"list": count, "of": of}


# The type of a field by its class, or by the next class that this one extends. Those of a mod's own can be added.
kinds = {
    "NetArray": lambda field: array(field.size, type_of(field.var)),
    "NetBool": lambda field: "boolean",
    "NetEnum": lambda field: {"enum": names_of(field.values)},
    "NetFlag": lambda field: {"flags": names_of(field.values)},
    "NetIntAny": lambda field: "int",
    "NetIntRange": range_of,
    "NetString": lambda field: "string",
    "NetStringHalfStrict": lambda field: {"string": "controls"},
    "NetStringStrict": lambda field: {"string": "controls_and_spaces"},
    "NetTick": lambda field: "tick",
    "NetTickStrict": lambda field: {"tick": [shared["MIN_TICK"], shared["MAX_TICK"]]},
    "NetTwIntString": lambda field: {"text": field.size},
}


def classes_of(value):
    return [kind.__name__ for kind in type(value).__mro__]


def type_of(field):
    return next((kinds[name] for name in classes_of(field) if name in kinds), ints_of)(field)


def ints_of(field):
    """A field of a class that is not known is as many ints as it has in C++."""
    name = type(field).__name__
    members = [re.fullmatch(r"int \w+(?:\[(\d+)\])?;", line) for line in field.emit_declaration()]
    if not members or None in members:
        sys.exit(f"network-json.py: {field.name}: what is a {name}? Add it to `kinds`")
    print(f"network-json.py: {field.name}: {name} is not known: printed as ints", file=sys.stderr)
    return array(sum(int(member[1] or 1) for member in members), "int")


def default_of(field):
    """The value of a field that an older sender leaves out; None if it is always there."""
    default = default_of(field.var) if "NetArray" in classes_of(field) else getattr(field, "default", None)
    return None if default is None else number(default) or 0


def fields_of(variables):
    """Names, types and defaults. m_Name0, m_Name1, … are one field, a list."""
    left = [(field_name(field), type_of(field), default_of(field)) for field in variables]
    while left:
        name, kind, default = left[0]
        stem = re.sub("(?<=[a-z])_?0$", "", name)
        count = 0
        while left[count:] and left[count][0] in (f"{stem}{count}", f"{stem}_{count}") and left[count][1] == kind:
            count += 1
        yield (stem, array(count, kind), default) if count > 1 else left[0]
        left = left[max(count, 1) :]


def add(fields, name, kind):
    """Adds a field; one whose name is taken gets a number."""
    names = [name, *(f"{name}_{number}" for number in range(2, len(fields) + 2))]
    fields[next(free for free in names if free not in fields)] = kind


def item_fields(variables):
    fields = {}
    for name, kind, default in fields_of(variables):
        add(fields, name, kind if default is None else {"absent": default, "of": kind})
    # Habits of the games: x and y are a position, and a name of four ints is a text.
    if fields.get("x") == fields.get("y") == "int":
        fields.update(x="position", y="position")
    for name, ints in (("name", 4), ("clan", 3), ("skin", 6)):
        if fields.get(name) == {"list": ints, "of": "int"}:
            fields[name] = {"text": ints}
    return fields


def message_fields(variables):
    fields, is_optional = {}, False
    for name, kind, default in fields_of(variables):
        is_optional = is_optional or default is not None
        add(fields, name, {"optional": kind} if is_optional else kind)
    return fields


# --- items and messages


def numbered(declarations, key):
    """Each item or message with its number, or with the name of its UUID."""
    count = 0
    for declaration in declarations:
        uuid_name = getattr(declaration, "ex", None)
        count += uuid_name is None
        yield declaration, {key: count} if uuid_name is None else {"uuid_name": uuid_name}


def items_of(objects, version):
    by_name = {item.name: item for item in reversed(objects)}
    # Since Teeworlds 0.7.4, deltas carry the size of the items of races, and of those after them.
    sized_from = 23 if version == "0.7" and "PlayerInfoRace" in by_name else 64
    for item, identity in numbered(objects, "type"):
        variables, base = list(item.variables), by_name.get(item.base)
        while base:
            variables, base = [*base.variables, *variables], by_name.get(base.base)
        fields = item_fields(variables)
        is_event = "NetEvent" in classes_of(item)
        if "uuid_name" in identity:
            event = {"event": True} if is_event else {}
            yield {"name": snake(item.name), **identity, **event, "fields": fields}
        else:
            name = ("event_" if is_event else "obj_") + snake(item.name)
            sized = {"sized": True} if identity["type"] >= sized_from or not fields else {}
            yield {"name": name, **identity, **sized, "fields": fields}


def messages_of(messages):
    for message, identity in numbered(messages, "id"):
        fields = message_fields(message.variables)
        # A number without a use keeps the meaning that it had.
        if fields or not message.name.startswith("Unused"):
            yield {"name": plain(message.name), **identity, "fields": fields}


def version_of(objects):
    """By an item that this version has and those before it do not; None for the items of no game."""
    names = [item.name for item in objects]
    marks = {"GameDataTeam": "0.7", "GameInfo": "0.6", "Game": "0.5"}
    return next((version for name, version in marks.items() if name in names), None)


def main():
    network = load(sys.argv[1] if len(sys.argv) > 1 else "network.py")
    # Without a list of them, Flags is the class.
    found = [getattr(network, name, None) for name in ("Enums", "Flags")]
    lists = [values for every in found if isinstance(every, list) for values in every]
    read_constants(lists, getattr(network, "RawHeader", ""))
    version = version_of(network.Objects)
    schema = {
        **({"version": version} if version else {}),
        "lists": {values.name: names_of(values) for values in lists},
        "items": list(items_of(network.Objects, version)),
        "messages": list(messages_of(network.Messages)),
    }
    text = json.dumps(schema, indent=2)
    # What has nothing nested in it is a line.
    print(re.sub(r"[\[{]\s[^\[\]{}]{1,100}[\]}]", lambda match: re.sub(r"\s+", " ", match[0]), text))


main()
