/** The dataclasses of the Python library, made from the OpenAPI document. */
import { SCHEMAS, type Schema, toRefName } from './document.ts'
import { OPERATIONS } from './operations.ts'
import { capitalize, toSnakeCase, wrap } from './text.ts'

const WIDTH = 116

/** Fields that `repr` does not show. */
const SECRET = ['secret', 'token', 'credential']

const isEnum = (name: string) => SCHEMAS[name]?.enum !== undefined
const isUnion = (name: string) => SCHEMAS[name]?.oneOf !== undefined
const literal = (values: (string | number)[]) => `Literal[${values.map((value) => JSON.stringify(value)).join(', ')}]`

/** Lines of the classes and aliases, in the order of their definition. */
const blocks = new Map<string, string[]>()

/** The Python type of a schema. Defines the classes that it needs. @param suffix of parameter types. */
export function toType(schema: Schema, name: string, suffix: string): string {
  const { $ref, allOf, anyOf, type, properties, additionalProperties, items } = schema
  if ($ref) return define(toRefName($ref), suffix)
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
  const members = (schema.oneOf ?? []).map(({ $ref = '' }) => define(toRefName($ref), ''))
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
  const lines = wrap(description.replaceAll('\\', '\\\\'), WIDTH - indent.length - 3)
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

from platen_print._model import Model


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

/** @returns the module `platen_print.types`. */
export function createTypes(): string {
  for (const { answer } of OPERATIONS) if ('name' in answer) define(answer.name, '')
  for (const { body } of OPERATIONS)
    for (const schema of Object.values(body?.schema.properties ?? {})) toType(schema, body?.name ?? '', 'Param')
  const all = [HEAD, ...[...blocks.values()].map((lines) => lines.join('\n'))]
  return `${all.map((block) => block.trimEnd()).join('\n\n\n')}\n`
}
