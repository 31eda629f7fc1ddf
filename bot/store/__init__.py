"""The database: models, migrations, the journal of matches, and query functions."""
