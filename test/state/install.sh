#!/usr/bin/env sh
# Installs what the tests of states need: Valkey, or Redis where Debian has no Valkey yet, HAProxy, OpenSSL, prlimit.
set -eu
missing=
for package in haproxy openssl util-linux; do
  program=$package
  if [ "$package" = util-linux ]; then program=prlimit; fi
  if ! command -v "$program" >/dev/null; then missing="$missing $package"; fi
done
store=
if ! command -v valkey-server >/dev/null && ! command -v redis-server >/dev/null; then store=redis-server; fi
if [ -n "$missing$store" ]; then
  apt-get update -qq
  if [ -n "$store" ] && apt-cache show valkey-server >/dev/null 2>&1; then store=valkey-server; fi
  # shellcheck disable=SC2086 # Each word is a package.
  apt-get install -y -qq --no-install-recommends $missing $store
fi
