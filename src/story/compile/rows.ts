import { parseJson } from '../../base/json.js'
import { type Path, quoted } from '../../base/mistake.js'
import { once } from '../../base/once.js'
import type { z } from '../../base/schema.js'
import { type Rows, rowSchemas } from '../../service/model/rows.js'
import type { Scenario } from '../format/scenario.js'
import type { ProblemAt } from '../problems/problem.js'
import type { Agent, OrganizationPart } from '../resolve/parts.js'
import { reasonOf, type ScenarioFiles } from '../source/files.js'

/** The models of a file of rows. */
const models = ['identity', 'thread', 'message', 'attachment', 'webhook'] as const

type RowModel = (typeof models)[number]

/** A row of a file, without the fields that the scenario sets. */
interface FileRow {
  readonly model: RowModel
  readonly fields: Readonly<Record<string, unknown>>
}

/** The contents of a scenario's file of rows. */
export interface FileRows {
  /** In the order of their creation. */
  readonly rows: readonly FileRow[]
  readonly agents: readonly Agent[]
  readonly problems: readonly ProblemAt[]
}

/** The maximum number of reported problems of a file of rows. */
const maxProblems = 5

/** The fields that hold the id of another row of the file, or several. */
const references: Readonly<Partial<Record<RowModel, Readonly<Record<string, RowModel>>>>> = {
  thread: { identity_id: 'identity', first_message_id: 'message', last_message_id: 'message' },
  message: { identity_id: 'identity', thread_id: 'thread', attachment_ids: 'attachment' },
  attachment: { message_id: 'message' },
}

/** Reads the rows of a scenario's file, one JSON object a line: `{"model": "thread", …}`. Its agents belong to `owner`. */
export async function readRows(
  { rows: file }: Scenario,
  files: ScenarioFiles,
  owner: OrganizationPart,
): Promise<FileRows> {
  if (file === undefined) return { rows: [], agents: [], problems: [] }
  const reader = new RowReader(file, owner)
  try {
    for await (const line of files.lines(file)) if (!reader.read(line)) break
  } catch (error) {
    return { rows: [], agents: [], problems: [{ path: ['rows'], message: reasonOf(error) }] }
  }
  reader.checkReferences()
  return reader
}

class RowReader implements FileRows {
  readonly rows: FileRow[] = []
  readonly agents: Agent[] = []
  readonly problems: ProblemAt[] = []
  readonly #file: string
  readonly #owner: OrganizationPart
  /** The lines of rows by their names: ids, handles and addresses. */
  readonly #lines = new Map<string, number>()
  #line = 0

  constructor(file: string, owner: OrganizationPart) {
    this.#file = file
    this.#owner = owner
  }

  /** Reads a line; returns whether to continue. */
  read(line: string): boolean {
    this.#line++
    const problem = line.trim() === '' ? undefined : this.#add(line)
    if (problem) this.#problem(...problem)
    return this.problems.length < maxProblems
  }

  /** Checks that the rows that others refer to exist. */
  checkReferences(): void {
    // After a problem, rows are missing.
    if (this.problems.length > 0) return
    for (const { model, fields } of this.rows) {
      const line = this.#lines.get(nameOf(model, 'id', fields['id']))
      for (const [field, target] of Object.entries(references[model] ?? {})) {
        for (const id of [fields[field]].flat()) {
          if (id === null || this.#lines.has(nameOf(target, 'id', id))) continue
          this.#problem([model, field], `there is no ${target} ${quoted(String(id))} in the file`, line)
        }
      }
      if (this.problems.length >= maxProblems) return
    }
  }

  /** Adds the row of a line; returns a problem instead if it has one. */
  #add(line: string): [Path, string] | undefined {
    const value = parseJson(line)
    if (value === undefined) return [[], 'this line is not JSON']
    const { model, ...fields } = Object(value)
    const schema = lineSchemas().get(model)
    if (!schema) return [['model'], `expected one of ${models.join(', ')}`]
    const [issue] = schema.safeParse(fields).error?.issues ?? []
    if (issue) return [[model, ...issue.path], issue.message]
    for (const field of model === 'identity' ? ['id', 'agent_handle', 'mailbox_address'] : ['id']) {
      const name = nameOf(model, field, fields[field])
      const before = this.#lines.get(name)
      if (before !== undefined) return [[model, field], `${quoted(fields[field])} is that of line ${before}`]
      this.#lines.set(name, this.#line)
    }
    this.rows.push({ model, fields })
    if (model === 'identity') this.agents.push(agentOf(fields as Rows['identity'], this.#owner))
    return undefined
  }

  #problem(path: Path, message: string, line = this.#line): void {
    const locate = () => ({ line, column: 1 })
    this.problems.push({ path, message, file: { name: this.#file, locate } })
  }
}

/** Returns what identifies a row among those of its model; addresses are compared without their case. */
function nameOf(model: RowModel, field: string, value: unknown): string {
  return `${model} ${field} ${field === 'mailbox_address' ? String(value).toLowerCase() : value}`
}

/** Returns the agent of a row, which refers to its mailbox like that of a written identity. */
function agentOf({ id, agent_handle, mailbox_address }: Rows['identity'], owner: OrganizationPart): Agent {
  return {
    ...{ id, handle: agent_handle, address: mailbox_address, isInFile: true },
    ...{ name: `${owner.id}/identities/${agent_handle}`, path: ['rows'], locale: owner.locale },
    ...{ identity: { handle: agent_handle, mailbox_address, threads: [] }, threads: [] },
  }
}

/** Schemas of the lines: rows without the fields that the scenario sets. */
const lineSchemas = once(() => {
  const schemas = models.map((model) => {
    const schema = rowSchemas[model]() as unknown as z.ZodObject
    const owned = 'organization_id' in schema.shape ? { organization_id: true as const } : {}
    return [model, schema.omit({ ordinal: true, ...owned } as never)] as const
  })
  return new Map<string, z.ZodType>(schemas)
})
