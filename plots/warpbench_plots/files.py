"""Reads text and YAML with errors that name the file, and writes files whole."""

import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from warpbench_plots.errors import InputError, nearest

# The loader of libyaml, where PyYAML has it, is ten times as fast.
_FastLoader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def write_whole(path: Path, content: str | bytes) -> None:
    """Writes to a temporary name and renames, so that a reader sees the old file or the new one, never a part."""
    data = content.encode() if isinstance(content, str) else content
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o644)
        temporary.replace(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error
    finally:
        temporary.unlink(missing_ok=True)


def read_bytes(path: Path) -> bytes:
    """The bytes of a file, or an InputError that names it. A pipe or a device, which may have no end, is refused."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise InputError(f"{path}: expected a regular file, found a device, socket or pipe")
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error


def read_text(path: Path) -> str:
    """The text of a file, or an InputError that names it."""
    try:
        return read_bytes(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: is not UTF-8 text (byte {error.start})") from error


def read_yaml(path: Path) -> Any:
    """The parsed YAML of a file; syntax errors name file, line and column."""
    return parse_yaml(read_text(path), path)


def parse_yaml(text: str, path: Path) -> Any:
    """The YAML of a text; syntax errors name `path`, line and column."""
    try:
        try:
            return yaml.load(text, _FastLoader)
        except yaml.YAMLError:
            return yaml.safe_load(text)  # says better where the error is
    except yaml.YAMLError as error:
        raise _yaml_error(path, error) from error


@dataclass(frozen=True)
class Placed:
    """A value of a YAML file, with the `file:line` it stands at; the entries of mappings and lists are Placed too."""

    value: Any
    where: str

    def mapping(self, known: Iterable[str] = ()) -> Mapping[str, "Placed"]:
        """The value as a mapping; of keys that are none of the known ones the first is refused."""
        if not isinstance(self.value, dict):
            raise InputError(f"{self.where}: expected a mapping, found {self._found}")
        names = tuple(known)
        for key, entry in self.value.items():
            if names and key not in names:
                hint = nearest(key, names) or f"; expected one of {', '.join(names)}"
                raise InputError(f"{entry.where}: unknown key {key!r}{hint}")
        return self.value

    def items(self) -> list["Placed"]:
        if not isinstance(self.value, list):
            raise InputError(f"{self.where}: expected a list, found {self._found}")
        return self.value

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise InputError(f"{self.where}: expected a text, found {self._found}")
        return self.value

    def number(self) -> float:
        if not isinstance(self.value, int | float) or isinstance(self.value, bool):
            raise InputError(f"{self.where}: expected a number, found {self._found}")
        return self.value

    @property
    def _found(self) -> str:
        return type(self.value).__name__ if isinstance(self.value, dict | list) else repr(self.value)


def read_placed(path: Path) -> Placed:
    """The parsed YAML of a file with the line of every value; a key given twice is refused."""
    loader = yaml.SafeLoader(read_text(path))
    try:
        node = loader.get_single_node()
        return Placed(None, f"{path}:1") if node is None else _placed(loader, node, path)
    except yaml.YAMLError as error:
        raise _yaml_error(path, error) from error
    finally:
        loader.dispose()


def _placed(loader: yaml.SafeLoader, node: yaml.Node, path: Path) -> Placed:
    where = f"{path}:{node.start_mark.line + 1}"
    if isinstance(node, yaml.SequenceNode):
        return Placed([_placed(loader, entry, path) for entry in node.value], where)
    if not isinstance(node, yaml.MappingNode):
        return Placed(loader.construct_object(node), where)
    entries: dict[str, Placed] = {}
    for key, value in node.value:
        name, line = str(loader.construct_object(key)), key.start_mark.line + 1
        if name in entries:
            raise InputError(f"{path}:{line}: {name} is given twice")
        entries[name] = replace(_placed(loader, value, path), where=f"{path}:{line}")
    return Placed(entries, where)


def _yaml_error(path: Path, error: yaml.YAMLError) -> InputError:
    mark = getattr(error, "problem_mark", None)
    where = f"{path}:{mark.line + 1}:{mark.column + 1}" if mark else str(path)
    return InputError(f"{where}: {getattr(error, 'problem', None) or 'is not valid YAML'}")
