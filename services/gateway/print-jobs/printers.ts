/** Caches the printers that jobs are created for, until devices announces a change: see `createAnnouncedCache`. */
import { create, toBinary } from '@bufbuild/protobuf'
import { PrinterCapabilitiesSchema } from '@platen/proto/gen/platen/devices/v1/printer_pb.ts'
import { PRINTERS_CHANGED_SUBJECT, type PrintersChanged } from '@platen/proto/subjects.ts'
import type { PrinterFacts } from '@platen/resources/resolve-options.ts'
import { createAnnouncedCache } from '@platen/runtime/cache.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Gateway } from '../gateway.ts'

/** The longest effect of a lost announcement: docs/reference/print-jobs.md#disabled-printers. */
const TTL_MS = 30_000
/** More than get jobs in this time. About 20 KB each if drivers report many papers. */
const PRINTERS_MAX = 1_000
/** The size of printers with the largest capabilities. */
const CACHE_MAX_BYTES = 64 * 1024 * 1024
/** Memory of an object for a byte of its encoding, about. */
const BYTES_OF_ENCODED = 5

interface Tenant {
  organizationId: string
  mode: string
}

/** What a job takes from its printer. */
export type JobPrinter = PrinterFacts & { computerId: string; defaultExpireAfter: number | undefined }

type CachedPrinter = JobPrinter & { mode: string; enabled: boolean }

function getBytes({ capabilities, defaultOptions, customPapers }: CachedPrinter): number {
  const edited = JSON.stringify([defaultOptions, customPapers.map(({ name }) => name)]).length
  return (
    (toBinary(PrinterCapabilitiesSchema, create(PrinterCapabilitiesSchema, capabilities)).length + edited) *
    BYTES_OF_ENCODED
  )
}

export type Printers = ReturnType<typeof createPrinters>

export function createPrinters({ devices, nats, clock }: Pick<Gateway, 'devices' | 'nats' | 'clock'>) {
  /** The id in a request can have capital letters. */
  const toKey = (organizationId: string, printerId: string) => `${organizationId} ${printerId.toLowerCase()}`
  const cache = createAnnouncedCache<CachedPrinter>(
    {
      nats,
      subject: PRINTERS_CHANGED_SUBJECT,
      toKeys(announcement) {
        const { organizationId, printerIds }: PrintersChanged = JSON.parse(announcement)
        return printerIds.map((printerId) => toKey(organizationId, printerId))
      },
    },
    { ttlMs: TTL_MS, max: PRINTERS_MAX, maxBytes: CACHE_MAX_BYTES, getBytes, now: () => clock.monotonicMs() },
  )

  async function resolve(organizationId: string, printerId: string): Promise<CachedPrinter> {
    const found = await devices.resolvePrinter({ organizationId, printerId })
    const { computerId, mode, enabled, customPapers, os, defaultOptions = {}, defaultExpireAfter, capabilities } = found
    return {
      computerId,
      mode,
      enabled,
      customPapers,
      os,
      defaultOptions,
      defaultExpireAfter,
      capabilities: capabilities ?? create(PrinterCapabilitiesSchema),
    }
  }

  return {
    /**
     * @param naming `param`: the field that names the printer, for errors.
     * @throws ApiError `not_found`, `mode_mismatch` or `printer_disabled`. Reference:
     *   docs/reference/print-jobs.md#create.printer-disabled.
     */
    async forJob(
      { organizationId, mode }: Tenant,
      printerId: string,
      { param, canBeDisabled }: { param: string; canBeDisabled: boolean },
    ): Promise<JobPrinter> {
      const key = toKey(organizationId, printerId)
      const printer = await cache.get(key, () => resolve(organizationId, printerId))
      if (printer.mode !== mode)
        throw new ApiError(
          'mode_mismatch',
          `This printer accepts jobs only from ${printer.mode} keys; this is a ${mode} key.`,
          { param },
        )
      if (printer.enabled || canBeDisabled) return printer
      // A lost announcement must not block a printer that is enabled again.
      cache.delete(key)
      throw new ApiError('printer_disabled', 'This printer is disabled. Enable it, or choose another one.', { param })
    },

    /** After a change through this gateway, so that the next job sees it before the announcement arrives. */
    delete: ({ organizationId }: Tenant, printerId: string) => cache.delete(toKey(organizationId, printerId)),
  }
}
