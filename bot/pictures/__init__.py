"""Pictures drawn by code: from scenes to PNG bytes.

The modules here know no game. Each game has a package of its own beside them, with its scenes and
a `GamePictures` that draws them.
"""
