/**
 * `npm run generate:dashboard`: writes the types of the API that the dashboard uses, from the OpenAPI document. Without `--write`, as one
 * of `npm run check`, fails if they differ from the committed ones.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OPENAPI_DOCUMENT } from '@platen/gateway/openapi/document.ts'
import openapiTS, { astToString } from 'openapi-typescript'

const FILE = join(import.meta.dirname, '../services/dashboard/src/api/schema.ts')
const HEAD = '/** Generated from the OpenAPI document by `npm run generate:dashboard`. */\n'

// A request may leave out what has a default.
const types =
  HEAD + astToString(await openapiTS(JSON.stringify(OPENAPI_DOCUMENT), { defaultNonNullable: false, silent: true }))
if (process.argv.includes('--write')) writeFileSync(FILE, types)
else if (readFileSync(FILE, 'utf8') !== types) {
  console.error('services/dashboard/src/api/schema.ts is not up to date. Run `npm run generate:dashboard`.')
  process.exitCode = 1
}
