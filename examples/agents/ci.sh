#!/bin/sh
# Runs both commands for the careful agent, and fails if one of them does.
status=0
npx agent-mailbox-sim replay refunds.yaml --out results/ -- node --import jiti/register typescript/careful.ts || status=1
npx agent-mailbox-sim check refunds.yaml --out results/ -- node --import jiti/register typescript/careful.ts || status=1
exit $status
