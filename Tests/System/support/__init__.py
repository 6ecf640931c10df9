"""Code that the scripts of the folder above share. Python's standard library only."""
