"""In a package without a file that says so."""
SIZES = [3, 1]
