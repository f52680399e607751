import type { RouteStep } from '../context.ts'
import { OPENAPI_DOCUMENT } from '../openapi/document.ts'
import { publish } from './publish.ts'

/** `GET /v1/openapi.json`: the API for programs. Public. */
export function openapi(): RouteStep {
  return publish('application/json', JSON.stringify(OPENAPI_DOCUMENT))
}
