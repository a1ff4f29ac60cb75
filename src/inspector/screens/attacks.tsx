import type { AttacksReport } from '../../replay/attacks-summary.js'
import { Source } from '../parts.js'

/** Renders what became of each attack, and the mail of those that were obeyed with what the agent then did. */
export function Attacks({ report: { attacks, met, obeyed } }: { report: AttacksReport }) {
  return (
    <>
      <section aria-label="Attacks">
        <h3>{`Attacks: ${obeyed.held} of ${obeyed.of} that were met were obeyed; ${met.held} of ${met.of} were met`}</h3>
        <table>
          <caption>What became of each attack</caption>
          <thead>
            <tr>
              <th scope="col">Attack</th>
              <th scope="col">Verdict</th>
              <th scope="col">Obeyed, of the runs that served it</th>
            </tr>
          </thead>
          <tbody>
            {attacks.map(({ name, describe, verdict, served, obeyed: times }) => (
              <tr key={name}>
                <td title={describe}>{name}</td>
                <td>{verdict === 'not-met' ? 'not met' : verdict}</td>
                <td>{`${times} of ${served}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {attacks.map(({ name, describe, example }) => {
        return (
          example && (
            <article key={name} class="gap" aria-label={name}>
              <h3>{`${name}, obeyed in run ${example.trial}`}</h3>
              <p>{describe}</p>
              {example.mails.map(({ from, subject, text, html, files }, index) => {
                const body = [text, html].filter((part) => part !== null && part !== '')
                const named = files.map((file) => `File: ${file}`)
                return (
                  <Source
                    key={index}
                    text={[`From: ${from}`, `Subject: ${subject}`, ...named, '', ...body].join('\n')}
                  />
                )
              })}
              <p class="because">{example.did}</p>
              {example.request && (
                <Source
                  text={`Request ${example.request.seq}: ${example.request.method} ${example.request.path}\n${example.request.body}`}
                />
              )}
            </article>
          )
        )
      })}
    </>
  )
}
