/** The dataclasses of the Python library, made from the OpenAPI document. */
import { OPENAPI_DOCUMENT } from '@platen/gateway/openapi/document.ts'

const WIDTH = 116

interface Schema {
  type?: string | string[]
  format?: string
  description?: string
  enum?: (string | number)[]
  const?: string
  $ref?: string
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
}

const SCHEMAS = OPENAPI_DOCUMENT.components?.schemas as unknown as Record<string, Schema>

/** Fields that `repr` does not show. */
const SECRET = ['secret', 'token', 'credential']

/** Bodies of responses that the library does not return: pages, lists and errors. */
const isWrapper = (name: string) => /(Page|List)$/.test(name) || /^Error/.test(name)

const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const capitalize = (name: string) => `${name[0]?.toUpperCase()}${name.slice(1)}`
const refName = (ref: string) => ref.split('/').at(-1) as string
const isEnum = (name: string) => SCHEMAS[name]?.enum !== undefined
const isUnion = (name: string) => SCHEMAS[name]?.oneOf !== undefined
const literal = (values: (string | number)[]) => `Literal[${values.map((value) => JSON.stringify(value)).join(', ')}]`

/** Lines of the classes and aliases, in the order of their definition. */
const blocks = new Map<string, string[]>()

/** The Python type of a schema. Defines the classes that it needs. @param suffix of parameter types. */
function toType(schema: Schema, name: string, suffix: string): string {
  const { $ref, allOf, anyOf, type, properties, additionalProperties, items } = schema
  if ($ref) return define(refName($ref), suffix)
  if (allOf?.[0]) return toType(allOf[0], name, suffix)
  if (anyOf) return anyOf.map((one) => toType(one, name, suffix)).join(' | ')
  if (schema.const !== undefined) return literal([schema.const])
  if (schema.enum) return literal(schema.enum)
  if (Array.isArray(type)) return type.map((one) => toType({ ...schema, type: one }, name, suffix)).join(' | ')
  switch (type) {
    case 'null':
      return 'None'
    case 'string':
      return schema.format === 'date-time' ? 'datetime' : 'str'
    case 'integer':
      return 'int'
    case 'number':
      return 'float'
    case 'boolean':
      return 'bool'
    case 'array': {
      const item = toType(items ?? {}, name, suffix)
      return suffix ? `Sequence[${item}]` : `tuple[${item}, ...]`
    }
    case 'object': {
      if (properties) return defineClass(name, schema, suffix)
      const value = typeof additionalProperties === 'object' ? toType(additionalProperties, name, suffix) : 'Any'
      return `Mapping[str, ${value}]`
    }
    default:
      return 'Any'
  }
}

function define(name: string, suffix: string): string {
  const schema = SCHEMAS[name]
  if (!schema) throw new Error(`The OpenAPI document has no schema ${name}.`)
  if (isEnum(name)) blocks.set(name, [`${name}: TypeAlias = ${literal(schema.enum ?? [])}`, ...docstring(schema, '')])
  else if (isUnion(name)) defineUnion(name, schema)
  else return defineClass(name, schema, suffix)
  return name
}

function defineUnion(name: string, schema: Schema): void {
  if (blocks.has(name)) return
  const members = (schema.oneOf ?? []).map(({ $ref = '' }) => define(refName($ref), ''))
  blocks.set(name, [
    `${name}: TypeAlias = (\n    ${[...members, 'UnknownEvent'].join('\n    | ')}\n)`,
    ...docstring(schema, ''),
  ])
}

function defineClass(name: string, schema: Schema, suffix: string): string {
  const full = `${name}${suffix}`
  if (blocks.has(full)) return full
  // Reserves the name, and then moves the class behind those that it needs.
  blocks.set(full, [])
  const fields = Object.entries(schema.properties ?? {}).flatMap(([field, of]) => {
    const type = toType(of, `${name}${capitalize(field)}`, suffix)
    if (suffix) return [`    ${field}: ${type}`, ...docstring(of, '    ')]
    const value = SECRET.includes(field) ? ' = field(repr=False)' : ''
    return [`    ${toSnakeCase(field)}: ${type}${value}`, ...docstring(of, '    ')]
  })
  blocks.delete(full)
  if (fields.some((line) => /^ +pass:/.test(line))) {
    // A field that is a keyword cannot be written as an attribute.
    const types = fields.flatMap((line) => /^ {4}(\w+): (.*)$/.exec(line)?.slice(1, 3).join('": ') ?? [])
    blocks.set(full, [
      `${full} = TypedDict("${full}", {${types.map((one) => `"${one}`).join(', ')}}, total=False)`,
      ...docstring(schema, ''),
    ])
    return full
  }
  const head = suffix
    ? [`class ${full}(TypedDict, total=False):`]
    : ['@dataclass(frozen=True, kw_only=True, slots=True)', `class ${full}(Model):`]
  blocks.set(full, [...head, ...docstring(schema, '    '), '', ...fields])
  return full
}

function docstring({ description }: Schema, indent: string): string[] {
  if (!description) return []
  const words = description.replaceAll('\\', '\\\\').split(' ')
  const lines = ['']
  for (const word of words) {
    const last = lines.at(-1) as string
    if (last !== '' && indent.length + last.length + word.length + 4 > WIDTH) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  const [first, ...rest] = lines
  if (rest.length === 0 && (first as string).length + indent.length + 6 <= WIDTH) return [`${indent}"""${first}"""`]
  return [`${indent}"""${first}`, ...rest.map((line) => `${indent}${line}`), `${indent}"""`]
}

const HEAD = `"""The objects of the API, generated from the OpenAPI document.

Reference: docs/reference. Attributes are named in snake case. \`raw\` is the object as the service sent it, with all its fields.
Values that this version does not know pass unchanged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeAlias, TypedDict

from platen._model import Model


@dataclass(frozen=True, kw_only=True, slots=True)
class UnknownEvent(Model):
    """An event of a type that this version of the library does not know."""

    id: str
    type: str
    timestamp: datetime
    mode: str
    sequence: int
    data: Mapping[str, Any]
`

/** @returns the module `platen.types`. */
export function createPythonTypes(): string {
  const responses = Object.values(OPENAPI_DOCUMENT.paths as object)
    .flatMap((path: object) => Object.values(path))
    .flatMap(({ responses }: { responses?: object }) => Object.values(responses ?? {}))
    .map((response) => response?.content?.['application/json']?.schema?.$ref as string | undefined)
    .filter((ref) => ref !== undefined)
    .map(refName)
  for (const name of new Set(responses)) {
    const items = SCHEMAS[name]?.properties?.data?.items
    if (isWrapper(name)) {
      if (items) toType(items, name, '')
    } else define(name, '')
  }
  for (const name of ['PrintOptions', 'CustomPaper', 'DocumentAuthentication']) define(name, 'Param')
  const all = [HEAD, ...[...blocks.values()].map((lines) => lines.join('\n'))]
  return `${all.map((block) => block.trimEnd()).join('\n\n\n')}\n`
}
