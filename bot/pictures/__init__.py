"""Pictures drawn by code: state to PNG bytes."""
