/** The printers that jobs are created for, each remembered for a moment: labels come in bursts. */
import { create } from '@bufbuild/protobuf'
import { PrinterCapabilitiesSchema } from '@platen/proto/gen/platen/devices/v1/printer_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Gateway } from './gateway.ts'
import type { PrinterFacts } from './options/judge-options.ts'
import { remember } from './remember.ts'

/** A printer that was disabled or edited through another replica a moment ago is taken as it was (docs/decisions.md). */
const REMEMBER_PRINTER_MS = 1_000
/** More than get jobs within that time. Some 20 KB each where drivers report many papers. */
const REMEMBER_PRINTERS_MAX = 1_000

interface Tenant {
  organizationId: string
  mode: string
}

export type Printers = ReturnType<typeof createPrinters>

export function createPrinters(devices: Gateway['devices']) {
  const recall = remember<PrinterFacts & { computerId: string }>({
    rememberMs: REMEMBER_PRINTER_MS,
    entriesMax: REMEMBER_PRINTERS_MAX,
  })
  const nameOf = ({ organizationId, mode }: Tenant, printerId: string) => `${organizationId} ${mode} ${printerId}`

  return {
    /** Only one that takes jobs is remembered. @throws ApiError `not_found`, `mode_mismatch` or `printer_disabled`. */
    async forJob(tenant: Tenant, printerId: string) {
      const { organizationId, mode } = tenant
      return await recall(nameOf(tenant, printerId), async () => {
        const found = await devices.resolvePrinter({ organizationId, printerId })
        if (found.mode !== mode)
          throw new ApiError(
            'mode_mismatch',
            `This printer takes jobs from ${found.mode} keys only; this is a ${mode} key.`,
          )
        if (!found.enabled)
          throw new ApiError('printer_disabled', 'This printer is disabled. Enable it, or choose another one.')
        const { computerId, customPapers, os, defaultOptions = {}, capabilities } = found
        return {
          computerId,
          customPapers,
          os,
          defaultOptions,
          capabilities: capabilities ?? create(PrinterCapabilitiesSchema),
        }
      })
    },

    /** It was changed through this gateway: the next job must see that. */
    forget: (tenant: Tenant, printerId: string) => recall.forget(nameOf(tenant, printerId)),
  }
}
