"""Prints the items, messages, enums, flags and UUID names of a checkout of DDNet as JSON, for compare.mjs.

Its files datasrc/network.py and datasrc/seven/network.py are Python that describes the protocol; they are run, not parsed.
"""

import importlib
import json
import os
import re
import sys

checkout = sys.argv[1]
sys.dont_write_bytecode = True


def fields_of(one, objects):
	variables = list(one.variables)
	base = getattr(one, "base", None)
	while base:
		parent = next(o for o in objects if o.name == base)
		variables = list(parent.variables) + variables
		base = parent.base
	return [field(variable) for variable in variables]


def field(variable):
	count = []
	is_text = type(variable).__name__ == "NetTwIntString"
	while hasattr(variable, "var"):
		count.append(variable.size)
		variable = variable.var
	kind = "NetTwIntString" if is_text else type(variable).__name__
	name = re.sub(r"\[.*", "", getattr(variable, "base_name", variable.name))
	bounds = {key: getattr(variable, key) for key in ("min", "max", "default") if getattr(variable, key, None) is not None}
	return {"name": name, "kind": kind, "count": count, **bounds}


def tables(module):
	objects, messages = module.Objects, module.Messages

	def types(all_types, kind):
		return [
			{"name": one.name, "event": "EVENT" in one.enum_name, "kind": kind, "uuid_name": getattr(one, "ex", None),
				"fields": fields_of(one, all_types)}
			for one in all_types
		]

	def values(name):
		return {one.name: list(one.values) for one in getattr(module, name)}

	return {"items": types(objects, "item"), "messages": types(messages, "message"), "enums": values("Enums"), "flags": values("Flags")}


sys.path[:0] = [os.path.join(checkout, "datasrc"), checkout]
result = {"0.6": tables(importlib.import_module("network"))}
for module in ("network", "datatypes"):
	sys.modules.pop(module, None)
if os.path.exists(os.path.join(checkout, "datasrc/seven/network.py")):
	result["0.7"] = tables(importlib.import_module("datasrc.seven.network"))
with open(os.path.join(checkout, "src/engine/shared/protocol_ex_msgs.h"), encoding="utf-8") as file:
	result["system"] = re.findall(r'^UUID\(\w+, "([^"]+)"\)', file.read(), re.M)
print(json.dumps(result))
