"""The revisions of the database schema, oldest first."""
