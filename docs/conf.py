"""The site, built by `make docs` from the pages in this folder; `site_pages.py` makes those that come from data."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import site_pages

import rostra

project = "Rostra"
author = "The Rostra developers"
copyright = author  # noqa: A001  # Sphinx's name for it
release = version = rostra.__version__
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx_copybutton"]
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb", ".rst": "restructuredtext"}
exclude_patterns = ["_build", "**/.ipynb_checkpoints"]
html_theme = "furo"
html_title = f"Rostra {release}"
html_show_copyright = html_copy_source = False

myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
myst_all_links_external = False
nb_execution_mode = "off"  # `tests/test_site.py` runs the notebooks
default_role = "literal"  # a word in backticks is code, as in Markdown
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_preserve_defaults = True
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
site_pages.write(HERE)
