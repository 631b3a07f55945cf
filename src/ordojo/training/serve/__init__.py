"""Any benchmark's environment over OpenEnv's protocol, for trainers in other processes.

`ordojo serve` runs `server.py`; a client sends `{"text": "..."}` and gets the next observation and
reward. `environment.py` is the session of one client; the server bounds what one may take, and ends
the sessions that no connection ends.
"""
