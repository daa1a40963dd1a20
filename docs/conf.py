"""How the documentation is built: ``python -m sphinx -W -n --keep-going docs build/site``."""

from __future__ import annotations

import ast
import re
import sys
from importlib import import_module
from pathlib import Path

from docutils.nodes import TextElement, reference
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.ext.napoleon.docstring import GoogleDocstring
from sphinx.pycode import ModuleAnalyzer

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import usim  # noqa: E402 - of this checkout

project = "usim"
author = "the usim developers"
release = version = usim.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_click",
    "sphinx_copybutton",
]
exclude_patterns = ["_static"]
html_theme = "furo"
html_title = f"usim {version}"
html_static_path = ["_static"]
html_theme_options = {"source_directory": "docs/"}

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_default_options = {"members": True, "show-inheritance": True, "ignore-module-all": True}
autodoc_preserve_defaults = True
# Plug-ins import the libraries that they are for.
autodoc_mock_imports = ["harper", "torch", "transformers"]
napoleon_use_rtype = False
napoleon_use_ivar = True
add_module_names = False
python_use_unqualified_type_names = True

# A name of usim that is mentioned has to exist (-n). Names of other libraries are not looked up: that takes a network.
# Private names and what only private modules have are not documented.
nitpick_ignore_regex = [(r"py:.*", r"(?!usim\.)[^`]*"), (r"py:.*", r"usim\.(.*\._\w+(\..*)?|.*\.([A-Z]|[A-Z]\w*_co))")]
# The face of a package has names that are documented where they are defined, unless that is a private module.
suppress_warnings = ["ref.python"]


def _defined_in() -> dict[str, str]:
    """Return where the names of each package's face are defined."""
    homes = {}
    for init in sorted((ROOT / "usim").rglob("__init__.py")):
        package = ".".join(init.parent.relative_to(ROOT).parts)
        for node in ast.parse(init.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ImportFrom) and node.module:
                homes.update(
                    {f"{package}.{name.asname or name.name}": f"{node.module}.{name.name}" for name in node.names}
                )
    for _ in range(3):  # a face may pass on what another face has
        homes = {name: homes.get(home, home) for name, home in homes.items()}
    return homes


def _is_private(name: str) -> bool:
    """Return whether a name, or a module on the way to it, has a leading underscore."""
    return re.search(r"\._(?!_)", name) is not None


def _resolve_face(app: Sphinx, env: BuildEnvironment, node: pending_xref, content: TextElement) -> reference | None:
    """Resolve a reference to where a name is documented: its definition, or the face if a private module has that."""
    target = node.get("reftarget", "")
    head, _, member = target.rpartition(".")
    for name, rest in ((target, ""), (head, f".{member}")):
        home = _FACES.get(name, name)
        place = _ON_FACES.get(home, home) + rest
        if node.get("refdomain") == "py" and place != target:
            domain = env.domains.python_domain
            return domain.resolve_xref(env, node["refdoc"], app.builder, node["reftype"], place, node, content)
    return None


def _face(package: str) -> list[str]:
    """Return what a package says that it has for users."""
    return list(getattr(import_module(package), "__all__", ()))


def _options(module: str) -> str:
    """Return what the section of a face of private modules needs: all that it lists but what other modules document."""
    faces = set(_ON_FACES.values())
    if module not in {face.rpartition(".")[0] for face in faces}:
        return ""
    names = {name: f"{module}.{name}" for name in _face(module)}
    elsewhere = [short for short, name in names.items() if name in _FACES and name not in faces]
    return f"   :no-ignore-module-all:\n   :exclude-members: {', '.join(elsewhere)}\n"


def _lend_comments(app: Sphinx) -> None:
    """Let the face have the comments (``#:``) of the data that it imports from a private module."""
    for home, face in _ON_FACES.items():
        (module, name), package = home.rsplit(".", 1), face.rpartition(".")[0]
        lender, borrower = ModuleAnalyzer.for_module(module), ModuleAnalyzer.for_module(package)
        lender.analyze()
        borrower.analyze()
        if ("", name) in lender.attr_docs:
            borrower.attr_docs["", name] = lender.attr_docs["", name]


def _modules(package: str) -> list[str]:
    """Return the public modules of a package, or those that stand flat in ``usim``."""
    folder = ROOT.joinpath(*package.split("."))
    paths = sorted(folder.glob("*.py") if package == "usim" else folder.rglob("*.py"))
    modules = [".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in paths]
    return sorted(m for m in modules if not _is_private(m))


def _write_modules(app: Sphinx, page: str, source: list[str]) -> None:
    """Put the documentation of all of its modules in the place of ``<!-- modules: PACKAGE -->``."""

    def section(module: str) -> str:
        return f"## `{module}`\n\n```{{eval-rst}}\n.. automodule:: {module}\n{_options(module)}```\n"

    source[0] = re.sub(r"<!-- modules: (\S+) -->", lambda match: "\n".join(map(section, _modules(match[1]))), source[0])


def _install_demo(app: Sphinx, error: Exception | None) -> None:
    """Put the demo of the page into the built documentation."""
    if error is None and app.builder.format == "html":
        from docs import demo

        demo.install(Path(app.outdir) / "demo")


def setup(app: Sphinx) -> None:
    """Connect what is ours."""
    app.connect("builder-inited", _lend_comments)
    app.connect("build-finished", _install_demo)
    app.connect("source-read", _write_modules)
    app.connect("missing-reference", _resolve_face)


_FACES = _defined_in()
#: What a private module defines is documented where users import it from: the face by the name of the definition.
_ON_FACES = {
    home: face
    for face, home in _FACES.items()
    if _is_private(home) and not _is_private(face) and home.startswith(face.rpartition(".")[0] + ".")
    if face.count(".") > 1 and face.rpartition(".")[2] in _face(face.rpartition(".")[0])
}
# "X, in some order: what X is" is no type with a description.
GoogleDocstring._parse_attribute_docstring = lambda self: self._consume_to_end()
