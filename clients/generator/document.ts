/** The parts of the OpenAPI document that the client libraries are made of. */
import { OPENAPI_DOCUMENT } from '@platen/gateway/openapi/document.ts'

export interface Schema {
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
  required?: string[]
  additionalProperties?: Schema | boolean
}

export interface ParameterObject {
  $ref?: string
  name: string
  in: string
  description: string
  schema: Schema
}

interface Content {
  content?: Record<string, { schema?: Schema }>
}

export interface OperationObject {
  operationId: string
  description: string
  security: Record<string, string[]>[]
  parameters?: ParameterObject[]
  requestBody?: Content & { required: boolean }
  responses: Record<string, Content & { $ref?: string; description: string }>
}

interface Document {
  paths: Record<string, Record<string, OperationObject>>
  components: Record<string, Record<string, unknown>> & { schemas: Record<string, Schema> }
}

export const DOCUMENT = OPENAPI_DOCUMENT as unknown as Document
export const SCHEMAS = DOCUMENT.components.schemas

export const toRefName = (ref: string) => ref.split('/').at(-1) as string

/** @returns the component that `value` refers to, or `value`. */
export function resolve<Value extends { $ref?: string }>(value: Value): Value {
  if (value.$ref === undefined) return value
  const [, , kind = '', name = ''] = value.$ref.split('/')
  return DOCUMENT.components[kind]?.[name] as Value
}

/** @throws for a schema without a name, which has no class in a library. */
export function toSchemaName(schema: Schema | undefined, where: string): string {
  if (!schema?.$ref) throw new Error(`${where} needs a schema with a name: \`.meta({ id })\`.`)
  return toRefName(schema.$ref)
}
