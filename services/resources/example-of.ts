/**
 * The example of a schema, made from those of its fields: `.meta({ example })`. Together the examples are one story: a
 * shop that prints an invoice. The OpenAPI document shows them and test deliveries carry them.
 */
import type { z } from 'zod'
import { getInnerSchema } from './inner-schema.ts'

/** Ids of the story, which refer to one another. */
export const EXAMPLE_IDS = {
  organization: '019a5c10-12ab-7d4e-9f30-1b2c3d4e5f05',
  apiKey: '019a5c11-5c0d-7a96-b8e1-7f6e5d4c3b06',
  computer: '019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01',
  printer: '019a5c1e-7d11-7e55-8a42-94c1b0d7f602',
  destination: '019a5c1f-8e21-7d44-9c30-3b4c5d6e7f09',
  enrollment: '019a5c20-0f42-7b1d-8e77-6a9c4d3b2e04',
  printJob: '019a5c21-3b7a-7f0e-a1c4-5d2e8f9b6a03',
  batch: '019a5c21-3b7a-7f0e-a1c4-5d2e8f9b6b10',
  event: '019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07',
  webhook: '019a5c30-4d5e-7f60-8a7b-1c2d3e4f5a08',
  delivery: '019a5c31-5e6f-7081-9b8c-2d3e4f5a6b09',
}

/** The part of a schema that is read. */
interface Inner {
  meta(): Record<string, unknown> | undefined
  def: {
    type: string
    shape?: Record<string, Inner>
    element?: Inner
    innerType?: Inner
    in?: Inner
    out?: Inner
    values?: unknown[]
  }
}

/** @throws Error that names the fields without an example; an optional one may lack it. */
export function createExample<Schema extends z.ZodType>(schema: Schema): z.output<Schema> {
  return makeExample(schema as unknown as Inner, '') as z.output<Schema>
}

function makeExample(schema: Inner, path: string): unknown {
  const meta = schema.meta()
  if (meta && 'example' in meta) return meta.example
  const { type, shape, element, values } = schema.def
  if (shape) {
    const fields = Object.entries(shape).filter(([, field]) => !isOptional(field) || hasExample(field))
    return Object.fromEntries(fields.map(([name, field]) => [name, makeExample(field, `${path}.${name}`)]))
  }
  if (element) return [makeExample(element, `${path}[]`)]
  if (type === 'literal') return values?.[0]
  const inner = getInnerSchema(schema)
  if (inner) return makeExample(inner, path)
  throw new Error(`the schema has no example at "${path}"`)
}

const isOptional = ({ def }: Inner): boolean => def.type === 'optional' || def.out?.def.type === 'optional'

const hasExample = (field: Inner): boolean => {
  const inner = getInnerSchema(field)
  return 'example' in (field.meta() ?? {}) || (inner !== undefined && hasExample(inner))
}
