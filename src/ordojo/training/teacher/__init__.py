"""Teacher data: trajectories worth imitating, and the records that trainers read.

`collect.py` plays teachers that think aloud and keeps what equation 4's filter lets pass;
`formats.py` writes conversations for SFT, preferences and process labels.
"""
