import { shorten } from '../../base/text.js'
import { toBase64 } from '../../mail/transfer-encoding.js'
import { attachmentIdOf, locate } from '../../service/requests/routes.js'
import type { Service } from '../../service/requests/service.js'
import { answerTo, failedResult, serviceRequest } from './calls.js'
import { type Caller, errorResult, type Tool, type ToolArguments, type ToolResult } from './tool.js'

/** The name of the tool that reads attachments. */
export const attachmentTool = 'attachments_read'

/** Creates the tool that reads a stored file by a request for it; a model has no other way to open the URL of one. */
export function createAttachmentTool(service: Service): Tool {
  return {
    name: attachmentTool,
    title: 'Read an attachment',
    description: 'Returns the contents of a file attached to a message: text as text, pictures as pictures.',
    inputSchema: {
      type: 'object',
      properties: {
        attachment: {
          type: 'string',
          description: 'The URL of the file, or its id, as the message shows it in `attachments`',
        },
      },
      required: ['attachment'],
    },
    annotations: { readOnlyHint: true, idempotentHint: true, destructiveHint: false },
    call: (input, caller) => readAttachment(input, caller, service),
  }
}

async function readAttachment(
  { attachment }: ToolArguments,
  caller: Caller,
  service: Service,
): Promise<ToolResult> {
  const named = typeof attachment === 'string' ? attachment : ''
  const url = attachmentIdOf(`/attachments/${named}`) ? `${caller.base}/attachments/${named}` : named
  const request = serviceRequest('GET', url, caller)
  const isFile = URL.canParse(url) && locate(request, service.baseUrl)?.fileId !== undefined
  if (!isFile) {
    const message = `"${shorten(named)}" is not the URL or the id of an attachment; take one from a message's \`attachments\`.`
    service.recordRefusedCall({
      tool: attachmentTool,
      input: { attachment },
      status: 404,
      message,
      key: caller.key,
    })
    return errorResult(message)
  }
  const { status, headers, bytes, isCut } = await answerTo(request, service)
  const { 'content-type': mimeType = 'application/octet-stream' } = headers
  const text = textIn(bytes, mimeType)
  if (status >= 400 || isCut) return failedResult(status, headers, text ?? '')
  const [type = ''] = mimeType.split(';', 1)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: text has none of them.
  if (text !== undefined && (isText(type) || !/[\0-\x08\x0e-\x1f]/.test(text))) {
    return { content: [{ type: 'text', text }] }
  }
  if (/^image\/(png|jpeg|gif|webp)$/i.test(type)) {
    return { content: [{ type: 'image', data: toBase64(bytes), mimeType: type }] }
  }
  return errorResult(`The file is ${type}, ${bytes.length} bytes; only text and pictures can be shown.`)
}

function isText(type: string): boolean {
  return /^text\//i.test(type)
}

/** Returns bytes as UTF-8 or, if their type is one of text, in the charset that it names, or else in that of old mail programs. */
function textIn(bytes: Uint8Array, mimeType: string): string | undefined {
  const [, named = 'windows-1252'] = /;\s*charset="?([^";\s]+)/i.exec(mimeType) ?? []
  for (const charset of isText(mimeType) ? ['utf-8', named, 'windows-1252'] : ['utf-8']) {
    try {
      return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes)
    } catch {}
  }
  return undefined
}
