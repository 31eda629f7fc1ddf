"""Message catalogues: `rox.pot` is the template, `<locale>/LC_MESSAGES/rox.po` a language."""
