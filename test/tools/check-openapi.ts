/**
 * Checks what programs and readers make of the OpenAPI document: it has no form that a common generator of clients does
 * not support and no description without a subject, `redocly lint` has no warning about it, and a client with the types
 * that `openapi-typescript` makes of it compiles. One of `npm run check`.
 */
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OPENAPI_DOCUMENT } from '@platen/gateway/openapi/document.ts'
import openapiTS, { astToString } from 'openapi-typescript'

/** Compiles only if the types say what the API takes and answers. */
const CLIENT = `
import type { components, paths } from './api.ts'

type NewJob = paths['/v1/printjobs']['post']['requestBody']['content']['application/json']
type CreatedJob = paths['/v1/printjobs']['post']['responses'][201]['content']['application/json']
type Filters = NonNullable<paths['/v1/printjobs']['get']['parameters']['query']>

export const job: NewJob = { printerId: 'a', title: 'Invoice', contentType: 'pdf_base64', content: 'JVBERi0=', options: { copies: 2 } }
export const filters: Filters = { state: ['queued', 'sent'], limit: 100, dir: 'asc' }
export const state = (created: CreatedJob): 'done' | 'queued' | undefined =>
  created.state === 'done' || created.state === 'queued' ? created.state : undefined
export const titles = (page: components['schemas']['PrintJobPage']): string[] => page.data.map(({ title }) => title)
export const eventData = (event: components['schemas']['Event']): string =>
  event.type === 'printjob.done' ? event.data.title : event.id
// @ts-expect-error a required field is missing
export const untitled: NewJob = { printerId: 'a' }
// @ts-expect-error there is no such state
export const wrong: Filters = { state: ['finished'] }
`

/** The subject comes first: "Time of the first success", not "When it succeeded". */
const WITHOUT_SUBJECT = /^(When|Why|What|Who|Whose|Which|Where|How|Since when|For how|Whether it|Of|The \w+ that it)\b/

const folder = await mkdtemp(join(tmpdir(), 'platen-openapi-'))
try {
  const document = JSON.stringify(OPENAPI_DOCUMENT)
  // A request may leave out what has a default.
  const types = astToString(await openapiTS(document, { defaultNonNullable: false }))
  await Promise.all([
    writeFile(join(folder, 'openapi.json'), document),
    writeFile(join(folder, 'api.ts'), types),
    writeFile(join(folder, 'client.ts'), CLIENT),
  ])
  const faults = [...findFaults(OPENAPI_DOCUMENT)]
  for (const fault of faults) console.error(fault)
  if (faults.length > 0 || !lint() || !compile()) process.exitCode = 1
} finally {
  await rm(folder, { recursive: true })
}

/** The forms that some generator of clients does not support, and descriptions without a subject. */
function* findFaults(value: unknown, at = '#'): Generator<string> {
  if (typeof value !== 'object' || value === null || /\/examples?$/.test(at)) return
  const members = Object.entries(value)
  if ('$ref' in value && members.length > 1) yield `${at}: \`$ref\` must have no siblings. Use \`allOf\`.`
  if (/\/(any|one|all)Of\/\d+$/.test(at) && 'properties' in value) yield `${at}: give this object an \`id\`.`
  if ('webhooks' in value) yield `${at}: \`webhooks\` become operations of clients. Use \`callbacks\`.`
  if ('prefixItems' in value) yield `${at}: \`prefixItems\` is not supported. Use \`minItems\` and \`maxItems\`.`
  if ('pattern' in value && 'format' in value) yield `${at}: \`pattern\` must not be beside \`format\`.`
  if (/^#\/components\/schemas\/New\w+$/.test(at)) yield `${at}: \`New…\` is the name of a constructor in Go.`
  if ('description' in value && WITHOUT_SUBJECT.test(String(value.description)))
    yield `${at}: begin the description with its subject, not "${String(value.description).slice(0, 40)}"`
  for (const [name, member] of members) {
    const isSchema =
      /\/(properties|patternProperties|anyOf|oneOf|allOf)$/.test(at) || /^(items|not|contains)$/.test(name)
    if (isSchema && typeof member === 'boolean') yield `${at}/${name}: a schema must not be true or false.`
    yield* findFaults(member, `${at}/${name}`)
  }
}

function lint(): boolean {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const options = ['lint', '--extends', 'recommended', '--format', 'json', 'openapi.json']
  const { status, stdout, stderr } = spawnSync('redocly', options, { cwd: folder, env, encoding: 'utf8' })
  if (status === null || !stdout.includes('{')) throw new Error(`redocly has not run: ${stderr}`)
  const { problems } = JSON.parse(stdout) as { problems: { ruleId: string; message: string; location: object[] }[] }
  for (const { ruleId, message, location } of problems) console.error(ruleId, message, JSON.stringify(location))
  return problems.length === 0
}

function compile(): boolean {
  const options = [
    '--noEmit',
    '--strict',
    '--allowImportingTsExtensions',
    '--module',
    'nodenext',
    '--types',
    '',
    'client.ts',
  ]
  return spawnSync('tsc', options, { cwd: folder, stdio: 'inherit' }).status === 0
}
