"""Message catalogues: the template `rox.pot`, and `<locale>/LC_MESSAGES/rox.po` per language."""
