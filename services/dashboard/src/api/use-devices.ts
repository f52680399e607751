import type { Devices } from './gen/schema.ts'
import { useSummary } from './use-summary.ts'

const TYPES = /^(printjob|printer|computer)\./

/** What the lists of printers and computers show beside these: names, numbers and times. */
export const useDevices = () =>
  useSummary<Devices>({ name: 'devices', load: (api) => api.GET('/account/devices'), types: TYPES, afterMs: 1_000 })
