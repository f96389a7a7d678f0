"""The gallery of livefigures, which is its documentation too: `make gallery` builds it into _build/gallery."""

project = "livefigures"
author = "The authors of livefigures"
copyright = ""
language = "en"
extensions = ["myst_nb", "livefigures.sphinx"]
exclude_patterns = ["_build", "**/.*"]
live_records = True  # tests replay each figure's values in a browser

nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_merge_streams = True
myst_enable_extensions = ["dollarmath", "attrs_inline"]
myst_heading_anchors = 3

templates_path = ["_templates"]
html_theme = "pydata_sphinx_theme"
html_theme_options = {"navbar_center": [], "navbar_end": ["theme-switcher"]}
html_sidebars = {"**": ["pages.html"]}  # all pages, beside the text
html_title = "livefigures"
html_static_path = ["_static"]
html_js_files = [("full_width.js", {"defer": "defer"})]
html_css_files = ["full_width.css"]
html_context = {"default_mode": "auto"}  # light or dark as the reader's system is
html_copy_source = False
html_show_sphinx = False
