"""Judging an answer by named rules, from what the last turn recorded."""
