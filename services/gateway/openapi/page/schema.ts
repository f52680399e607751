/** Schemas as tables, for people. */
import type { JsonSchema } from '../json-schema.ts'
import { anchor, type Html, html, inline } from './html.ts'

/** @param schema of an object. @returns undefined when it has no fields. */
export function fieldTable(schema: JsonSchema, what: string): Html | undefined {
  const rows = fieldRows(schema)
  if (rows.length === 0) return undefined
  return html`<table><caption>${what}</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead>
<tbody>${rows}</tbody></table>`
}

function fieldRows(schema: JsonSchema, path = ''): Html[] {
  const forms = (schema.anyOf ?? schema.oneOf ?? []) as JsonSchema[]
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const at = path + name
    // In an answer every field is there; only in a request it matters which must be.
    const optional = schema.additionalProperties === false && !schema.required?.includes(name)
    return [row(at, field, optional ? 'optional' : undefined), ...nestedRows(field, at)]
  })
  return [...own, ...uniqueForms(forms, path)]
}

function nestedRows(field: JsonSchema, at: string): Html[] {
  if (field.type === 'array') return fieldRows(field.items as JsonSchema, `${at}[].`)
  return fieldRows(field, `${at}.`)
}

/** Of several forms of one object each field is shown once. */
function uniqueForms(forms: JsonSchema[], path: string): Html[] {
  const rows = forms.flatMap((form) => fieldRows(form, path))
  return [...new Map(rows.map((one) => [one.text, one])).values()]
}

export function row(name: string, schema: JsonSchema, note?: string): Html {
  return html`<tr><th scope="row"><code>${name}</code>${note && html` <small>${note}</small>`}</th>
<td>${typeOf(schema)}</td><td>${inline(schema.description ?? '')} ${limitsOf(schema)}</td></tr>
`
}

function typeOf(schema: JsonSchema): Html {
  if (schema.$ref) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
    return html`<a href="#schema-${anchor(name)}">${name}</a>`
  }
  const forms = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (forms) return html`${forms.flatMap((form, at) => (at === 0 ? [typeOf(form)] : [html` or `, typeOf(form)]))}`
  if (schema.const !== undefined) return html`<code>${String(schema.const)}</code>`
  if (schema.enum)
    return html`${schema.enum.flatMap((value, at) => [html`${at === 0 ? '' : ', '}`, html`<code>${String(value)}</code>`])}`
  if (schema.type === 'array' && schema.items) return html`array of ${typeOf(schema.items as JsonSchema)}`
  const type = [schema.type ?? 'any'].flat().join(' or ')
  return html`${type}${schema.format ? ` (${schema.format})` : ''}`
}

const LIMITS: [keyword: string, words: (value: string) => string][] = [
  ['minimum', (value) => `at least ${value}`],
  ['maximum', (value) => `at most ${value}`],
  ['minLength', (value) => `at least ${value} ${value === '1' ? 'character' : 'characters'}`],
  ['maxLength', (value) => `at most ${value} characters`],
  ['minItems', (value) => `at least ${value} entries`],
  ['maxItems', (value) => `at most ${value} entries`],
  ['default', (value) => `default ${value}`],
]

function limitsOf(schema: JsonSchema): Html | undefined {
  const limits = LIMITS.flatMap(([keyword, words]) => {
    const value = schema[keyword]
    return value === undefined || typeof value === 'object' ? [] : [words(String(value))]
  })
  if (limits.length === 0) return undefined
  const text = limits.join(', ')
  return html`<small>${text.charAt(0).toUpperCase() + text.slice(1)}.</small>`
}
