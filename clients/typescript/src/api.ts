/** The types of the API, derived from those of the OpenAPI document. */
import type { components, operations } from './gen/schema.ts'

/** Webhooks are described as operations, too. */
export type OperationId = Exclude<keyof operations, `on${string}Event`>

/** The query parameters of an operation. */
export type Query<Id extends OperationId> = operations[Id] extends { parameters: { query?: infer Q } }
  ? Exclude<Q, undefined>
  : never

/** The JSON body of an operation. */
export type Body<Id extends OperationId> = operations[Id] extends {
  requestBody?: { content: { 'application/json': infer B } }
}
  ? B
  : never

/** The form of an operation. */
export type FormBody<Id extends OperationId> = operations[Id] extends {
  requestBody: { content: { 'multipart/form-data': infer F } }
}
  ? F
  : never

type Success = 200 | 201 | 202
type Responses<Id extends OperationId> = operations[Id]['responses']

/** The JSON of a successful response. `undefined` for `204`. */
export type Result<Id extends OperationId> = Responses<Id>[keyof Responses<Id> & Success] extends {
  content: { 'application/json': infer R }
}
  ? R
  : undefined

/** A resource of a list in pages. */
export type Item<Id extends OperationId> = Result<Id> extends { data: (infer T)[] } ? T : never

/** A print job without the operations of this library. */
export type PrintJobData = components['schemas']['PrintJob']
