#!/usr/bin/env sh
# Installs what the tests of states need: Valkey, or Redis where Debian has no Valkey yet, HAProxy, OpenSSL, prlimit.
set -eu
if ! command -v valkey-server >/dev/null && ! command -v redis-server >/dev/null; then
  apt-get update -qq
  store=redis-server
  if apt-cache show valkey-server >/dev/null 2>&1; then store=valkey-server; fi
  apt-get install -y -qq --no-install-recommends "$store"
fi
for package in haproxy openssl util-linux; do
  program=$package
  if [ "$package" = util-linux ]; then program=prlimit; fi
  if ! command -v "$program" >/dev/null; then
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends "$package"
  fi
done
