/**
 * Compares the rules of the documentation with the tests of a full run. Called by `test/run.ts` at the end of
 * `npm test`.
 *
 * A rule is an anchor in `docs/`: `A key is known for 24 hours. <a id="idempotency.kept.24h"></a>`. A test names the
 * rules that it proves by `proves` of `harness/rules.ts`.
 */
import type { JsonSchema } from '@platen/gateway/json-schema.ts'
import { CAUSES, ERROR_CODES } from '@platen/gateway/openapi/errors.ts'
import { OPERATIONS } from '@platen/gateway/operations.ts'
import { TRANSITIONS } from '@platen/jobs/states.ts'
import { EVENT_TYPES } from '@platen/resources/event-types.ts'
import { getStatus } from '@platen/runtime/errors.ts'
import { DOCUMENT, type DocumentedOperation, type Parameter, resolve } from '../harness/documented-answers.ts'
import { readFiles } from './files.ts'
import type { Report } from './run-vitest.ts'

type Test = Report['testResults'][number]['assertionResults'][number]

const ANCHOR = /<a id="([^"]+)"><\/a>/g
const BRACKETS = /\[([^[\]]+)\]/g

/** @returns one sentence for each difference between the documentation, the code and the tests of a full run. */
export function brokenRules({ testResults }: Report): string[] {
  const docs = readFiles('docs/*.md')
    .map(({ text }) => text)
    .join('\n')
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  return [...checkRules(tests, docs), ...undocumented(docs)]
}

export function checkRules(tests: Pick<Test, 'fullName' | 'status' | 'meta'>[], docs: string): string[] {
  const anchors = readAnchors(docs)
  const documented = new Set(anchors)
  const named = new Set(tests.flatMap(getRules))
  const proven = new Set(tests.filter(({ status }) => status === 'passed').flatMap(getRules))
  const twice = new Set(anchors.filter((id, index) => anchors.indexOf(id) !== index))
  const titles = tests
    .map(({ fullName }) => fullName)
    .filter((title) => findIds(title).some((id) => documented.has(id)))
  return [
    ...[...twice].map((id) => `docs/ has the rule ${id} twice.`),
    ...[...documented].filter((id) => !proven.has(id)).map((id) => `No passed test names the rule ${id}.`),
    ...[...named].filter((id) => !documented.has(id)).map((id) => `A test names ${id}, which docs/ does not have.`),
    ...titles.map((title) => `A title has a rule; use proves(…) of test/harness/rules.ts: ${title}`),
  ]
}

const readAnchors = (docs: string) => [...docs.matchAll(ANCHOR)].map(([, id]) => id ?? '')

const getRules = ({ meta }: Pick<Test, 'meta'>) => meta.rules ?? []

const findIds = (title: string) => [...title.matchAll(BRACKETS)].flatMap(([, words]) => words?.split(' ') ?? [])

/**
 * @returns the operations, error codes and their causes, event types, transitions and maxima of request fields that
 *   have no rule.
 */
export function undocumented(docs: string): string[] {
  const documented = new Set(readAnchors(docs))
  const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const ids = [
    ...OPERATIONS.map(
      ({ method, path }) =>
        `endpoint.${method.toUpperCase()}${path.slice(3).replaceAll(/[{}]/g, '').replaceAll('/', '.')}`,
    ),
    ...ERROR_CODES.map((code) => `error.${getStatus(code)}.${code}`),
    ...Object.values(CAUSES).flatMap((causes) => Object.values(causes)),
    ...EVENT_TYPES.map((type) => `event.${type}`),
    ...Object.entries(TRANSITIONS).flatMap(([trigger, { from, to }]) =>
      from.map((state) => `edge.${state}.${kebab(trigger)}.${to}`),
    ),
  ]
  const blocks = docs.split(/\n(?=\n|\s*(?:[-*|]|\d+\.) )/)
  // The rule of a maximum is in the row, item or paragraph that names the field, and its id ends with the number.
  const isDocumented = ([field, max]: [string, number]) =>
    blocks.some((block) => block.includes(`${field}\``) && block.includes(`.${max}"></a>`))
  return [
    ...ids.filter((id) => !documented.has(id)).map((id) => `docs/ does not have the rule ${id}.`),
    ...maxima()
      .filter((limit) => !isDocumented(limit))
      .map(([field, max]) => `docs/ has no rule for the maximum ${max} of \`${field}\`.`),
  ]
}

function maxima() {
  const { paths } = DOCUMENT
  // The fields of the enrolment of an agent are internal.
  const operations = OPERATIONS.filter(({ credential }) => !credential).map(
    ({ path, method }) => paths[path]?.[method] as DocumentedOperation,
  )
  const parameters = operations.flatMap((one) => (one.parameters ?? []).map((it) => resolve<Parameter>(it)))
  const bodies = operations.flatMap((one): JsonSchema[] => {
    const schema = one.requestBody?.content['application/json'].schema
    return schema ? [schema] : []
  })
  return [
    ...bodies.flatMap((reference) => findMaxima(resolve<JsonSchema>(reference))),
    ...parameters.flatMap(({ name, schema }) => findMaxima(schema, name)),
  ]
}

function findMaxima(schema: object, field = ''): [field: string, max: number][] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (['maximum', 'maxLength', 'maxItems'].includes(keyword)) return [[field, value]]
    if (typeof value !== 'object' || value === null) return []
    if (keyword !== 'properties') return findMaxima(value, field)
    return Object.entries(value as Record<string, object>).flatMap(([name, property]) => findMaxima(property, name))
  })
}
