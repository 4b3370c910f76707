"""JSON Schema, as much of it as our own schemas use: an unknown keyword is an error, not a pass."""
import re

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
KNOWN = {"$schema", "title", "description", "type", "additionalProperties", "required", "properties", "items", "enum", "pattern", "minimum",
         "maximum"}


def has_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def faults(value, schema, place="record"):
    """What is wrong with the value, as texts."""
    found = [f"{place}: schema keyword {word}" for word in schema.keys() - KNOWN]
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(has_type(value, name) for name in types):
        return found + [f"{place}: {value!r} is no {'/'.join(types)}"]
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{place}: {value!r} is not among {schema['enum']}")
    if isinstance(value, str) and "pattern" in schema and not re.search(schema["pattern"], value):
        found.append(f"{place}: {value!r} does not fit {schema['pattern']}")
    if has_type(value, "number") and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        found.append(f"{place}: {value} is out of range")
    if isinstance(value, list) and "items" in schema:
        for number, item in enumerate(value):
            found += faults(item, schema["items"], f"{place}[{number}]")
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        found += [f"{place}: {name} is missing" for name in schema.get("required", []) if name not in value]
        if schema.get("additionalProperties") is False:
            found += [f"{place}: {name} is not described" for name in value.keys() - properties.keys()]
        for name in value.keys() & properties.keys():
            found += faults(value[name], properties[name], f"{place}.{name}")
    return found
