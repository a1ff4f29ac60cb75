import { readFileSync, writeFileSync } from 'node:fs'
import { parseSync } from 'rolldown/utils'

/**
 * Adds the descriptions of a JSON Schema to the declaration of the Zod schema that it was made from, as comments of the same
 * keys: editors show them in TypeScript as they do in YAML.
 */
export function describeScenarioTypes(file, schema) {
  const text = readFileSync(file, 'utf8')
  const { program } = parseSync('scenario.d.ts', text)
  const comments = new Map()

  /** Returns the schemas that a value may have: those of references and alternatives. */
  const alternatives = (one) => {
    if (one?.$ref)
      return alternatives(
        one.$ref
          .split('/')
          .slice(1)
          .reduce((at, key) => at?.[key], schema),
      )
    const inner = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => one?.[key] ?? [])
    return one ? [one, ...inner.flatMap(alternatives)] : []
  }
  const below = (schemas, next) => schemas.flatMap(alternatives).map(next).filter(Boolean)
  const describeKeys = (members, schemas) => {
    const named = members.filter(({ type }) => type === 'TSPropertySignature')
    const nameOf = ({ key }) => key.name ?? key.value
    const known = schemas.flatMap(alternatives).filter(({ properties }) => properties)
    const covers = ({ properties }) => named.every((member) => nameOf(member) in properties)
    const fitting = known.some(covers) ? known.filter(covers) : known
    for (const member of named) {
      const property = below(fitting, ({ properties }) => properties?.[nameOf(member)])
      const described = property.find(({ description }) => description)
      if (described) comments.set(member.start, described.description)
      visit(member.typeAnnotation.typeAnnotation, property)
    }
  }
  const visit = (node, schemas) => {
    if (node?.type !== 'TSTypeReference' || schemas.length === 0) return
    const [first, second] = node.typeArguments?.params ?? []
    const name = node.typeName.right?.name ?? node.typeName.name
    if (name === 'ZodObject' && first?.type === 'TSTypeLiteral') describeKeys(first.members, schemas)
    else if (name === 'ZodArray')
      visit(
        first,
        below(schemas, ({ items }) => items),
      )
    else if (name === 'ZodRecord')
      visit(
        second,
        below(schemas, ({ additionalProperties }) => additionalProperties),
      )
    else if (name === 'ZodUnion') {
      const tuple = first?.type === 'TSTypeOperator' ? first.typeAnnotation : first
      for (const option of tuple?.elementTypes ?? []) visit(option, schemas)
    } else for (const argument of node.typeArguments?.params ?? []) visit(argument, schemas)
  }

  for (const { declaration } of program.body) {
    const [declarator] = declaration?.declarations ?? []
    if (declarator?.id.name === 'scenarioSchema') visit(declarator.id.typeAnnotation.typeAnnotation, [schema])
  }
  if (comments.size === 0) throw new Error(`${file} has no keys of scenarios.`)
  let [described, end] = ['', 0]
  for (const [at, comment] of [...comments].toSorted(([a], [b]) => a - b)) {
    // A bare @ would begin a tag.
    const plain = comment.replaceAll('*/', '*\\/').replaceAll(/(?<=^|\s)@[^\s.,;]*/g, '`$&`')
    described += `${text.slice(end, at)}/** ${plain} */ `
    end = at
  }
  writeFileSync(file, described + text.slice(end))
}
