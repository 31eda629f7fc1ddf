"""The pictures of Rox."""
