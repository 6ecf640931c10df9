"""What the scripts beside this folder share. Python's standard library only."""
