"""Fixes: edits of scripts, applied, checked again, written or shown as a patch."""
