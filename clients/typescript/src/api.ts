/** The types of the API, derived from those of the OpenAPI document. */
import type { components, operations } from './gen/schema.ts'

/** Webhooks are described as operations, too. */
export type OperationId = Exclude<keyof operations, `on${string}Event`>

/** The query parameters of an operation. */
export type Query<Id extends OperationId> = operations[Id] extends { parameters: { query?: infer Q } }
  ? Exclude<Q, undefined>
  : never

/** A print job without the operations of this library. */
export type PrintJobData = components['schemas']['PrintJob']
