/**
 * Writes the types of the API for the dashboard, with those of the operations below `/account`. Runs after an
 * installation for development and in `npm run check`. No program needs them to run.
 */
import { DASHBOARD_OPERATIONS } from '@platen/gateway/dashboard-operations.ts'
import { createOpenApiDocument } from '@platen/gateway/openapi/document.ts'
import { OPERATIONS } from '@platen/gateway/operations.ts'
import { write } from '../../clients/generate.ts'
import { createApiTypes } from './create-api-types.ts'

// The fields of operations below `/account` have no examples.
const account = DASHBOARD_OPERATIONS.map((one) => ({
  ...one,
  bodyExamples: {},
  answer: { ...one.answer, examples: {} },
}))
const document = createOpenApiDocument([...OPERATIONS, ...account])

write('services/dashboard/src/api/gen/schema.ts', await createApiTypes(document))
