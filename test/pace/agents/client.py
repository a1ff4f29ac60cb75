"""Polls with http.client on one connection."""

import http.client
import json
import time
from urllib.parse import urlsplit

from desk import BASE_URL, HEADERS, MODEL, react

service = http.client.HTTPConnection(urlsplit(BASE_URL).netloc, timeout=10)
model = http.client.HTTPConnection(urlsplit(MODEL).netloc)


def call(path, body=None):
    data = None if body is None else json.dumps(body)
    service.request("GET" if body is None else "POST", f"/api/v1/{path}", data, HEADERS)
    return json.load(service.getresponse())


def think():
    model.request("POST", MODEL.partition(urlsplit(MODEL).netloc)[2], b"{}")
    model.getresponse().read()


while True:
    react(call, think)
    time.sleep(0.5)
