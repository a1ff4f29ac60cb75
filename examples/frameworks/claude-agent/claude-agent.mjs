import { query } from '@anthropic-ai/claude-agent-sdk'
import { pause, startModel, task } from '../stand-in-model.mjs'

const { MAILBOX_MCP_URL: url, MAILBOX_API_KEY: key, MAILBOX_STATE_DIR: folder } = process.env
const headers = { Authorization: `Bearer ${key}` }
const options = {
  model: 'stand-in',
  systemPrompt: 'You answer customers.',
  mcpServers: { mailbox: { type: 'http', url, headers, alwaysLoad: true } },
  strictMcpConfig: true,
  allowedTools: ['mcp__mailbox'],
  tools: [], // neither the shell nor files
  settingSources: [],
  persistSession: false,
  maxTurns: 30,
  env: {
    ...process.env,
    ANTHROPIC_BASE_URL: new URL(await startModel()).origin,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CONFIG_DIR: folder, // not the settings and the account of whoever runs this
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  },
}
for (;;) {
  for await (const message of query({ prompt: task, options })) {
    if (message.type === 'result' && message.is_error) throw new Error(JSON.stringify(message))
  }
  await pause(10)
}
