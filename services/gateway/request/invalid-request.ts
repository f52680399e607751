import { getInnerSchema } from '@platen/resources/inner-schema.ts'
import { quoted, shortened } from '@platen/resources/text.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { z } from 'zod'

const PROBLEMS_SHOWN_MAX = 5
const ALLOWED_NAMES_MAX = 12

type Kind = 'field' | 'parameter'

/**
 * @param kind `field` for the schema of a body, `parameter` for the schema of a query.
 * @throws ApiError `invalid_request` with all missing names, the rule of each invalid value, and the allowed names for
 *   unknown ones.
 */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, sent: unknown, kind: Kind): z.output<Schema> {
  const parsed = schema.safeParse(sent)
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  const missing = issues.filter((issue) => isMissing(issue, sent))
  const problems = [
    ...(missing.length > 0 ? [`Missing: ${missing.map(({ path }) => quoted(toText(path))).join(', ')}`] : []),
    ...issues.filter((issue) => !missing.includes(issue)).map((issue) => problem(issue, schema, sent, kind)),
  ]
  const param = getName(missing[0] ?? issues[0])
  throw new ApiError('invalid_request', `${problems.slice(0, PROBLEMS_SHOWN_MAX).join('; ')}.`, { param })
}

/** @returns undefined for a rule about several names. */
function getName(issue: z.core.$ZodIssue | undefined): string | undefined {
  const path = issue?.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys.slice(0, 1)] : (issue?.path ?? [])
  return path.length === 0 ? undefined : shortened(toText(path))
}

const isMissing = ({ code, path }: z.core.$ZodIssue, sent: unknown) =>
  code !== 'custom' && code !== 'unrecognized_keys' && path.length > 0 && valueAt(sent, path) === undefined

function problem(issue: z.core.$ZodIssue, schema: z.ZodType, sent: unknown, kind: Kind): string {
  const at = toText(issue.path)
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.slice(0, PROBLEMS_SHOWN_MAX)
    const all = names.map((name) => quoted(at === '' ? name : `${at}.${name}`)).join(', ')
    return `Unknown ${kind}${names.length > 1 ? 's' : ''} ${all}${hint(names, namesIn(schema, issue.path))}`
  }
  // A union is a filter that can be repeated.
  if (kind === 'parameter' && issue.code !== 'invalid_union' && Array.isArray(valueAt(sent, issue.path)))
    return `${quoted(at)} was sent more than once`
  return at === '' ? issue.message : `${quoted(at)}: ${issue.message}`
}

/** ` (did you mean …?)` for a name in another spelling, otherwise the allowed names if they are few. */
function hint(unknown: string[], allowed: string[]): string {
  const plain = (name: string) => name.replaceAll(/[_-]/g, '').toLowerCase()
  const meant = allowed.filter((name) => unknown.some((other) => plain(other) === plain(name)))
  if (meant.length > 0) return ` (did you mean ${meant.map(quoted).join(', ')}?)`
  if (allowed.length === 0) return ' (none is allowed)'
  return allowed.length > ALLOWED_NAMES_MAX ? '' : ` (allowed: ${allowed.map(quoted).join(', ')})`
}

/** The part of a schema that `namesIn` reads. */
interface Inner {
  def: { type: string; shape?: Record<string, Inner>; element?: Inner; innerType?: Inner; in?: Inner; out?: Inner }
}

/** The names of the object at a path of a schema. */
function namesIn(schema: z.ZodType, path: PropertyKey[]): string[] {
  const unwrap = (one: Inner): Inner => {
    const inner = getInnerSchema(one)
    return inner ? unwrap(inner) : one
  }
  let found = unwrap(schema as unknown as Inner)
  for (const name of path) {
    const next = typeof name === 'number' ? found.def.element : found.def.shape?.[String(name)]
    if (!next) return []
    found = unwrap(next)
  }
  return Object.keys(found.def.shape ?? {})
}

/** `customPapers[0].name` */
const toText = (path: PropertyKey[]): string =>
  path.reduce<string>((text, name) => {
    if (typeof name === 'number') return `${text}[${name}]`
    return text === '' ? String(name) : `${text}.${String(name)}`
  }, '')

const valueAt = (sent: unknown, path: PropertyKey[]): unknown =>
  path.reduce<unknown>((value, name) => (value as Record<PropertyKey, unknown> | null | undefined)?.[name], sent)
