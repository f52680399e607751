import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '@bufbuild/protobuf'
import { toJson } from '@bufbuild/protobuf'
import type { ReportedPrinter } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { PrinterCapabilitiesSchema } from '@platen/proto/gen/platen/devices/v1/printer_pb.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Devices } from '../devices.ts'
import { ComputerEntity, PrinterEntity } from '../entities.ts'
import type { AgentIdentity } from './authenticate.ts'

/**
 * Makes a computer's printers those of a complete report. The same `osName` is the same printer and keeps its id and what people
 * edited, also when it comes back; what is missing is removed. Source: decisions, "Computers and printers".
 *
 * @param epoch of the stream that said it: of a stream that a newer one has replaced nothing is stored.
 */
export async function storePrinterReport(
  devices: Devices,
  { computerId, organizationId, mode }: AgentIdentity,
  epoch: bigint,
  reported: ReportedPrinter[],
): Promise<void> {
  const now = devices.clock.now()
  await devices.orm.em.fork().transactional(async (em) => {
    // Not while the computer is being deleted, nor after: its printers are gone for good. A newer hello need not wait for this.
    const found = await em.execute(
      'SELECT id FROM devices.computer WHERE id = ? AND epoch = ? AND deleted_at IS NULL FOR KEY SHARE',
      [computerId, String(epoch)],
    )
    if (found.length === 0) return
    const computer = em.getReference(ComputerEntity, computerId)
    const known = await em.find(PrinterEntity, { computer: computerId })
    const missing = new Map(known.map((printer) => [printer.osName, printer]))
    for (const report of reported) {
      const facts = factsOf(report)
      const printer = missing.get(report.osName)
      if (printer) {
        missing.delete(report.osName)
        // The database keeps the members in another order, which MikroORM takes for a change.
        const same = isDeepStrictEqual(facts.capabilities, printer.capabilities)
        em.assign(printer, { ...facts, ...(same ? { capabilities: printer.capabilities } : {}), removedAt: null })
      } else {
        em.create(PrinterEntity, {
          ...facts,
          id: uuidv7(),
          computer,
          organizationId,
          mode,
          osName: report.osName,
          displayName: report.name,
          enabled: true,
          defaultOptions: {},
          customPapers: [],
          createdAt: now,
          updatedAt: now,
        })
      }
    }
    for (const printer of missing.values()) printer.removedAt ??= now
  })
}

function factsOf(report: ReportedPrinter) {
  return {
    name: report.name,
    description: report.description,
    isDefault: report.isDefault,
    reportedState: report.state === 'online' ? ('online' as const) : ('offline' as const),
    stateDetail: report.stateDetail,
    stateReasons: report.stateReasons,
    capabilities: (report.capabilities ? toJson(PrinterCapabilitiesSchema, report.capabilities) : {}) as JsonObject,
  }
}
