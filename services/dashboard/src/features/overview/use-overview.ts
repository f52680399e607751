import type { Overview } from '../../api/gen/schema.ts'
import { useSummary } from '../../api/use-summary.ts'

const ANY = /./
/** Statistics follow within 3 s. */
const AFTER_EVENT_MS = 4_000

export const useOverview = () =>
  useSummary<Overview>({
    name: 'overview',
    load: (api) => api.GET('/account/overview'),
    types: ANY,
    afterMs: AFTER_EVENT_MS,
  })
