import type { RouteStep } from '../context.ts'
import type { OpenApiDocument } from '../openapi/document.ts'
import { publish } from '../openapi/publish.ts'

/** `GET /v1/openapi.json`: the interface, for programs. Public. */
export function openapi(document: OpenApiDocument): RouteStep {
  return publish('application/json', JSON.stringify(document))
}
