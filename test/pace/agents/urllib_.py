"""Polls with urllib."""

import time

from desk import react

while True:
    react()
    time.sleep(0.2)
