"""A small shop: what a review might flag, some of it rightly."""
