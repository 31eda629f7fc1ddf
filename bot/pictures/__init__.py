"""Pictures drawn by code: from scenes to PNG bytes.

The modules here do not depend on any game. Each game has a package beside them, with its scenes and
a `GamePictures`, which draws them.
"""
