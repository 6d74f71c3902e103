"""The types of template strings."""

__all__ = ["Interpolation", "Template", "convert"]

_template = t"{0}"
Template = type(_template)
Interpolation = type(_template.interpolations[0])
del _template


def convert(obj, /, conversion):
    """What `!s`, `!r`, `!a` or nothing makes of an object."""
    if conversion is None:
        return obj
    if conversion == "r":
        return repr(obj)
    if conversion == "s":
        return str(obj)
    if conversion == "a":
        return ascii(obj)
    raise ValueError(f"invalid conversion specifier: {conversion}")


def _template_unpickle(*args):
    strings, interpolations = args
    items = []
    for index, text in enumerate(strings):
        items.append(text)
        items.extend(interpolations[index : index + 1])
    return Template(*items)
