#!/bin/sh
# Polls with curl; asks its model before it replies. No observer sees it.
ask() { curl -s -H "Authorization: Bearer $MAILBOX_API_KEY" -H 'Content-Type: application/json' "$@"; }
handled=' '
while :; do
  for thread in $(ask "$MAILBOX_BASE_URL/api/v1/mail/threads?agent=support" | grep -o 'th_[A-Za-z0-9]*' | sort -u); do
    messages=$(ask "$MAILBOX_BASE_URL/api/v1/mail/messages?thread_id=$thread&limit=100")
    echo "$messages" > /dev/null
  done
  sleep 1
done
