"""Tables of pages in docs/ that a measurement writes, each below its comment."""


def replace(page, name, lines):
    """Puts lines in the place of the table below `<!-- table: name -->`, which ends with an empty line."""
    mark = f"<!-- table: {name} -->\n"
    before, found, after = page.read_text(encoding="utf-8").partition(mark)
    if not found:
        raise ValueError(f"{page.name} has no comment 'table: {name}'")
    rest = after.lstrip("\n").partition("\n\n")[2] if after.lstrip("\n").startswith("|") else after.lstrip("\n")
    text = before + mark + "\n" + "\n".join(lines) + "\n\n" + rest
    page.write_text(text.rstrip("\n") + "\n", encoding="utf-8")
