"""Any benchmark's environment over OpenEnv's protocol, for trainers in other processes.

`ordojo serve` runs it; a client sends `{"text": "..."}` and gets the next observation and reward.
"""
