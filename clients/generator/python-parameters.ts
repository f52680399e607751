/**
 * The parameters of the methods of the Python library: the ids of the path, and the fields of the query or the body.
 */
import { resolve, type Schema } from './document.ts'
import type { Operation } from './operations.ts'
import { toType } from './python-types.ts'
import { toSnakeCase } from './text.ts'

export interface Parameter {
  name: string
  type: string
  /** Missing if the parameter is required. */
  default?: string
  description?: string | undefined
  isPositional?: boolean
  /** The field of the body or the query, and the expression of its value. */
  field?: { name: string; value: string; in: 'body' | 'query' }
}

const PRINTER = {
  name: 'printer',
  type: 'str | int | Printer',
  description:
    'An id, a number, a name, or an object of `printers`. Names and numbers cost a request: see `Printers.find`. Required without `destination`.',
  value: 'None if printer is None else to_printer_id(self, printer)',
}

/** Parameters that differ from their field, by schema or operation and field. */
const DIFFERENT: Record<string, { name?: string; type: string; value?: string; description?: string }> = {
  'PrintJobRequest.printerId': PRINTER,
  'PrintJobValidationRequest.printerId': PRINTER,
  // Files have content types of their own.
  'PrintJobRequest.contentType': { type: 'str' },
  'PrintJobValidationRequest.contentType': { type: 'str' },
  // The filter also takes `printjob.*`.
  'listEvents.type': { type: 'str | Sequence[str]' },
  'PreviewRequest.content': {
    name: 'document',
    type: 'bytes',
    value: 'b64encode(document).decode("ascii")',
    description: 'The document, at most 1 MB.',
  },
}

/** Fields that are no parameter, because another one has their values. */
const OMITTED = ['PrintJobRequest.printer', 'PrintJobValidationRequest.printer']

const KEYWORDS = ['class', 'def', 'from', 'global', 'import', 'in', 'is', 'lambda', 'not', 'or', 'pass', 'return']

/** The parameters of a method, those without a default first. */
export function toParameters({ operationId, ids, query, body, idempotencyKey, verb }: Operation): Parameter[] {
  const ofPath = ids.map(({ name, takesNumber }) => ({
    name: toSnakeCase(name),
    type: takesNumber ? 'str | int' : 'str',
    isPositional: true,
  }))
  const ofQuery = query.map(({ name, schema, description }) =>
    toParameter(operationId, name, { ...schema, description }, { in: 'query', isRequired: false }),
  )
  const ofBody = Object.entries(body?.schema.properties ?? {})
    .filter(([name, schema]) => schema.const === undefined && !OMITTED.includes(`${body?.name}.${name}`))
    .map(([name, schema]) =>
      toParameter(body?.name ?? '', name, describeWithForm(name, schema, body?.form), {
        in: 'body',
        isRequired: body?.schema.required?.includes(name) ?? false,
        isChange: verb === 'PATCH',
      }),
    )
  const ofFile = hasFile(body) ? [FILE] : []
  const ofKey = idempotencyKey === 'chosen' ? [IDEMPOTENCY_KEY] : []
  const byName = [...ofBody, ...ofFile, ...ofQuery, ...ofKey]
  return [...ofPath, ...byName.filter((one) => !one.default), ...byName.filter((one) => one.default)]
}

const FILE: Parameter = {
  name: 'file',
  type: 'File | None',
  default: 'None',
  description: 'The document: a path, bytes, or an open binary file. Files are streamed.',
}

const IDEMPOTENCY_KEY: Parameter = {
  name: 'idempotency_key',
  type: 'str | None',
  default: 'None',
  description:
    'The same for each creation of the same job, also after a restart of the program. Default: a new one for each call.',
}

/** Whether the body can be a form with a file, which no other parameter has. */
export const hasFile = (body: Operation['body']) => body?.form !== undefined && !(`${body.name}.content` in DIFFERENT)

/** The description of a field also names what differs in a form with a file. */
function describeWithForm(name: string, schema: Schema, form: Schema | undefined): Schema {
  const other = form?.properties?.[name]?.description
  const isSame = other === undefined || other === schema.description || name === 'content'
  return isSame ? schema : { ...schema, description: `${schema.description} With \`file\`: ${other}` }
}

function toParameter(
  where: string,
  field: string,
  schema: Schema,
  { in: part, isRequired, isChange }: { in: 'body' | 'query'; isRequired: boolean; isChange?: boolean },
): Parameter {
  const {
    name = toSnakeCase(field),
    type: differentType,
    value = name,
    description,
  } = DIFFERENT[`${where}.${field}`] ?? {}
  if (KEYWORDS.includes(name)) throw new Error(`${where}.${field} is a keyword of Python. Add it to DIFFERENT.`)
  const own = differentType ?? (part === 'query' ? toQueryType(schema) : toType(schema, where, 'Param'))
  const none = own.endsWith('None') ? own : `${own} | None`
  const optional = isChange ? { type: `${own} | Unset`, default: 'UNSET' } : { type: none, default: 'None' }
  return {
    name,
    ...(isRequired ? { type: own } : optional),
    description: description ?? schema.description,
    isPositional: own === 'bytes',
    field: { name: field, value, in: part },
  }
}

/** A parameter that can be repeated also takes one value. */
function toQueryType(schema: Schema): string {
  const { items } = resolve(schema)
  const type = toType(items ?? schema, '', 'Param')
  return items ? `${type} | Sequence[${type}]` : type
}
