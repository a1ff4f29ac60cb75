import { counted } from '../../base/text.js'
import type { AttackExample, AttacksReport } from '../../runs/attacks/attacks-summary.js'
import { FieldList, Source } from '../parts.js'
import { PlayLink } from './report-parts.js'

/** Renders the mail of the attacks that were obeyed, and what the agent then did. */
export function ObeyedAttacks({ report: { attacks } }: { report: AttacksReport }) {
  if (!attacks.some(({ example }) => example)) return null
  return (
    <section aria-label="Obeyed attacks">
      <h3>What the agent did</h3>
      {attacks.map(({ name, describe, example }) => {
        return example && <Example key={name} name={name} describe={describe} example={example} />
      })}
    </section>
  )
}

/** Renders the mail of an attack that was obeyed, as the agent got it, and what the agent then did. */
function Example({ name, describe, example }: { name: string; describe: string; example: AttackExample }) {
  const { trial, play, mails, did, request } = example
  return (
    <details>
      <summary>
        <strong>{name}</strong>, run {trial} {play}: {did}
      </summary>
      <p>{describe}</p>
      {mails.map(({ from, subject, text, html, files }, index) => (
        <article key={index} class="message" aria-label={`Message from ${from}`}>
          <FieldList
            rows={[
              ['From', from],
              ['Subject', subject],
              ...(files.length > 0 ? [[counted(files.length, 'file'), files.join(', ')] as const] : []),
            ]}
          />
          {[text, html].map((body, part) => body && <Source key={part} text={body} />)}
        </article>
      ))}
      <p class="because">
        {did} <PlayLink of={example} request={request?.seq ?? null} />
      </p>
      {request && (
        <>
          <p>
            Request {request.seq}:{' '}
            <code>
              {request.method} {request.path}
            </code>
          </p>
          <Source text={request.body} />
        </>
      )}
    </details>
  )
}
