/** The types of an OpenAPI document for TypeScript: for the client library and the dashboard. */
import openapiTS, { astToString } from 'openapi-typescript'

export async function createApiTypes(document: object): Promise<string> {
  const types = await openapiTS(JSON.stringify(document), {
    // A request may leave out what has a default.
    defaultNonNullable: false,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    silent: true,
  })
  return `/** Generated from the OpenAPI document. */\n${astToString(types)}`
}
