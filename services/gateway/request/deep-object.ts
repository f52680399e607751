/** Query parameters of the OpenAPI style `deepObject`: https://spec.openapis.org/oas/v3.1.1.html#style-values. */
import type { ParsedUrlQuery } from 'node:querystring'

const MEMBER = /^(?<name>[A-Za-z]+)\[(?<key>[^[\]]*)\]$/
/** An object has no such key of its own. */
const RESERVED = '__proto__'

/**
 * `metadata[order]=4711` becomes `{ metadata: { order: '4711' } }`, with the keys in order, so that equal filters have
 * the same cursors. A parameter of another form stays as it is, and is refused by schemas that do not know it.
 */
export function groupMembers(query: ParsedUrlQuery): Record<string, unknown> {
  const members = Object.entries(query).flatMap(([parameter, value]) => {
    const { name = '', key = '' } = MEMBER.exec(parameter)?.groups ?? {}
    return name === '' || name in query || key === RESERVED ? [] : [{ parameter, name, key, value }]
  })
  if (members.length === 0) return query
  const grouped = new Set(members.map(({ parameter }) => parameter))
  const others = Object.entries(query).filter(([parameter]) => !grouped.has(parameter))
  const objects = [...Map.groupBy(members, ({ name }) => name)].map(([name, own]) => [
    name,
    Object.fromEntries(own.map(({ key, value }) => [key, value] as const).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  ])
  return Object.fromEntries([...others, ...objects])
}
