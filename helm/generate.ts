/**
 * `npm run generate:chart`: writes the parts of the chart that have their source elsewhere. docs/settings.md is the
 * source of the schema of `settings` and of `files/settings.json`; `values.schema.json` is the source of the comments
 * in `values.yaml`, and both are the source of the table in README.md; `grafana.ts` is the source of
 * `files/dashboard.json`, and `runtime/process-pool.ts` of `files/process-memory.json`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sumProcessMemory } from '@platen/runtime/process-pool.ts'
import { isAlias, isMap, isScalar, parse, parseDocument } from 'yaml'
import { createDashboard } from './grafana.ts'

const root = join(import.meta.dirname, '..')
const chart = join(root, 'helm/platen')

export const SERVICES = ['gateway', 'accounts', 'jobs', 'devices', 'usage', 'webhooks', 'test-computers']

export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  pattern?: string
  minimum?: number
  maximum?: number
  enum?: string[]
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  definitions?: Record<string, Schema>
}

interface Setting {
  name: string
  /** The services that read it. */
  services: string[]
  schema: Schema
}

/** Durations and limits, and the variables that are lists or switches without a value of the chart. */
const IS_SETTING =
  /_(SECONDS|BYTES|GAPS|ALIASES|PER_[A-Z]+|ALLOWED_NETWORKS(_DETAILS)?|DOCUMENT_PREVIEW|TRUSTED_PROXIES|IPP)$/

const read = (path: string) => readFileSync(path, 'utf8')

/** The settings of docs/settings.md that the chart does not set itself. */
export function readSettings(): Setting[] {
  const ownVariables = read(join(chart, 'templates/_env.tpl'))
  const tables = read(join(root, 'docs/settings.md')).split('\n## Services\n')[1] ?? ''
  return [...tables.matchAll(/^\| `(PLATEN_\w+)` \| ([^|]+) \| ([^|]*) \| (.+) \|$/gm)]
    .map(([, name = '', services = '', fallback = '', meaning = '']) => ({ name, services, fallback, meaning }))
    .filter(({ name }) => IS_SETTING.test(name) && !ownVariables.includes(`"${name}"`))
    .map(({ name, services, fallback, meaning }) => ({
      name,
      services: SERVICES.filter((service) => services.split(/[,;] /).includes(service)),
      schema: toSchema(fallback.replaceAll('`', ''), meaning),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

function toSchema(fallback: string, meaning: string): Schema {
  const description = meaning.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
  if (fallback === 'on' || fallback === 'off') return { type: 'string', description, enum: ['on', 'off'] }
  if (/^\d+(,\d+)+$/.test(fallback)) return { type: 'string', description, pattern: '^[0-9]{1,6}(,[0-9]{1,6}){0,19}$' }
  if (!/^\d+$/.test(fallback)) return { type: 'string', description }
  return {
    type: 'integer',
    description,
    minimum:
      toNumber(/([\d,]+) or more/.exec(meaning)?.[1]) ?? (/^0$/.test(fallback) || meaning.includes('`0` ') ? 0 : 1),
    maximum: toNumber(/at most ([\d,]+)/.exec(meaning)?.[1]),
  }
}

const toNumber = (text: string | undefined) => (text === undefined ? undefined : Number(text.replaceAll(',', '')))

/** @returns the content of each generated file by its path. */
export function generate(): Record<string, string> {
  const settings = readSettings()
  const schema = JSON.parse(read(join(chart, 'values.schema.json'))) as Schema & { properties: Record<string, Schema> }
  schema.properties.settings = {
    type: 'object',
    description: 'Durations and limits by the name of their variable; see docs/settings.md.',
    additionalProperties: false,
    properties: Object.fromEntries(settings.map((setting) => [setting.name, setting.schema])),
  }
  const services = Object.fromEntries(settings.map((setting) => [setting.name, setting.services]))
  const readme = read(join(chart, 'README.md'))
  const [head] = readme.split('\n## Values\n')
  return {
    [join(chart, 'values.schema.json')]: `${JSON.stringify(schema, null, 2)}\n`,
    [join(chart, 'files/settings.json')]: `${JSON.stringify(services, null, 2)}\n`,
    [join(chart, 'files/process-memory.json')]: `${JSON.stringify(sumProcessMemory(), null, 2)}\n`,
    [join(chart, 'files/dashboard.json')]: `${JSON.stringify(createDashboard(), null, 2)}\n`,
    [join(chart, 'README.md')]:
      `${head}\n## Values\n\n| value | default | meaning |\n| - | - | - |\n${toRows(schema).join('\n')}\n`,
    [join(chart, 'values.yaml')]: commentValues(schema),
  }
}

/** Width of `values.yaml`. */
const COMMENT_WIDTH = 118

/**
 * @returns `values.yaml` with the description of the schema above each value. A component that repeats another one has
 *   none.
 */
function commentValues(root: Schema): string {
  const document = parseDocument(read(join(chart, 'values.yaml')))
  document.commentBefore = ' Generated comments: their source is values.schema.json (npm run generate:chart).'
  const comment = (node: unknown, schema: Schema, depth: number) => {
    if (!isMap(node)) return
    // The parser gives the comment of the first key to its map.
    node.commentBefore = undefined
    const { properties = {} } = resolve(root, schema)
    if (Object.keys(properties).length > 0 && node.items.length > 0) node.flow = false
    for (const { key, value } of node.items) {
      const child = properties[isScalar(key) ? String(key.value) : '']
      if (!child || !isScalar(key)) continue
      const { description } = resolve(root, child)
      key.commentBefore = description && !isAlias(value) ? wrap(description, COMMENT_WIDTH - 2 * depth) : undefined
      key.spaceBefore = depth === 0 && !isAlias(value) && node.items[0]?.key !== key
      comment(value, child, depth + 1)
    }
  }
  comment(document.contents, root, 0)
  return document.toString({ lineWidth: 0, flowCollectionPadding: false })
}

/** @returns the lines of a comment, each with a space in front of it. */
function wrap(text: string, width: number): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last.length + 1 + word.length > width && last !== '') lines.push(` ${word}`)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.join('\n')
}

/** The rows of the table of values. Components have the same values, and `settings` a page of its own. */
function toRows(root: Schema): string[] {
  const components = Object.entries(root.properties ?? {}).filter(([, { $ref }]) => $ref === '#/definitions/component')
  const titles = components.map(([name]) => name)
  const values = parse(read(join(chart, 'values.yaml')))
  const toRow = (path: string, schema: Schema, value: unknown): string[] => {
    const { properties, description } = resolve(root, schema)
    const row = (shown: string) => `| \`${path}\` | ${shown} | ${description?.replaceAll('|', '\\|')} |`
    if (titles.slice(1).includes(path)) return []
    if (path === titles[0]) {
      const own = Object.entries(properties ?? {}).filter(
        ([key]) => root.properties?.defaults?.properties?.[key] === undefined,
      )
      const rows = own.flatMap(([key, child]) => toRow(`<component>.${key}`, child, (value as Values)[key]))
      return [`| ${titles.map((name) => `\`${name}\``).join(', ')} | | ${description} |`, ...rows]
    }
    // Free objects, such as `resources.requests`, are one value.
    if (!properties || path === 'settings' || path.endsWith('.resources')) return [row(toCell(value))]
    return [
      row(''),
      ...Object.entries(properties).flatMap(([key, child]) =>
        toRow(`${path}.${key}`, child, (value as Values | undefined)?.[key]),
      ),
    ]
  }
  return Object.entries(root.properties ?? {}).flatMap(([key, child]) => toRow(key, child, values[key]))
}

type Values = Record<string, unknown>

const toCell = (value: unknown) =>
  value === undefined || value === null || value === '' ? '' : `\`${JSON.stringify(value)}\``

/** Follows a reference to `definitions`. */
function resolve(root: Schema, schema: Schema): Schema {
  return schema.$ref ? (root.definitions?.[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema
}

if (import.meta.main) for (const [path, content] of Object.entries(generate())) writeFileSync(path, content)
