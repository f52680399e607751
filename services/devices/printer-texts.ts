/**
 * Printers of lists as JSON of the API. Capabilities can be large, so the text is cached by the printer's `sequence`,
 * which each change of its facts raises. The state and the time of its change are not part of it.
 */
import type { ListPrintersRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { printerToJson } from '@platen/resources/printer-schema.ts'
import { type Cache, createCache } from '@platen/runtime/cache.ts'
import { visibleBefore } from '@platen/runtime/database/commit-seq.ts'
import { countFitting, queryLimit, unpackPosition } from '@platen/runtime/paging.ts'
import type { Pool } from 'pg'
import type { Devices } from './devices.ts'
import { printerToProto, toShownState } from './devices-to-proto.ts'
import { type Computer, type Printer, PrinterEntity } from './entities.ts'

/** A failover can use a sequence again. */
const TTL_MS = 5 * 60_000
const PRINTERS_MAX = 10_000
const CACHE_MAX_BYTES = 64 * 1024 * 1024
/** Read at once. */
const BATCH = 16

interface ListedPrinter {
  id: string
  sequence: number
  commitSeq: string
  reportedState: Printer['reportedState']
  computerState: Computer['state']
  updatedAt: Date
}

/** The JSON of a printer in UTF-8. */
interface PrinterText {
  /** All but the last brace, state and time of the change. */
  facts: Buffer
  /** A part of `facts`. */
  capabilities: Buffer
}

export type PrinterTexts = Cache<PrinterText>

export const createPrinterTexts = (): PrinterTexts =>
  createCache({ ttlMs: TTL_MS, max: PRINTERS_MAX, maxBytes: CACHE_MAX_BYTES, getBytes: ({ facts }) => facts.length })

/** What a list reads of each printer, by the index `printer_page`. The entity mapper would take 12 ms for a page. */
export async function readListedPrinters(
  lists: Pool,
  { organizationId, mode, computerId, number, page }: ListPrintersRequest,
): Promise<ListedPrinter[]> {
  const after = page?.after && unpackPosition(page.after)
  const [direction, beyond] = page?.ascending ? ['ASC', '>'] : ['DESC', '<']
  const { rows } = await lists.query<ListedPrinter>(
    `SELECT printer.id, printer.sequence, printer.commit_seq AS "commitSeq", reported_state AS "reportedState",
       computer.state AS "computerState", printer.updated_at AS "updatedAt"
     FROM devices.printer JOIN devices.computer ON computer.id = computer_id
     WHERE printer.organization_id = $1 AND printer.mode = $2 AND removed_at IS NULL
       AND ($4::uuid IS NULL OR computer_id = $4)
       AND ($5::int IS NULL OR printer.number = $5)
       ${page?.ascending ? `AND printer.commit_seq < ${visibleBefore('devices')}` : ''}
       ${after ? `AND (printer.commit_seq, printer.id) ${beyond} ($6::bigint, $7::uuid)` : ''}
     ORDER BY printer.commit_seq ${direction}, printer.id ${direction} LIMIT $3`,
    [
      organizationId,
      mode,
      queryLimit(page),
      computerId ?? null,
      number ?? null,
      ...(after ? [after.commitSeq.toString(), after.id] : []),
    ],
  )
  return rows
}

/** @returns the JSON of the first printers, as many as fit into a page or a few more. */
export async function readPrinterTexts(devices: Devices, printers: ListedPrinter[]): Promise<Buffer[]> {
  const texts: Buffer[] = []
  for await (const batch of readBatches(devices, printers)) {
    texts.push(...batch.map(({ printer, text }) => Buffer.concat([text.facts, toState(printer)])))
    if (countFitting(texts, ({ length }) => length) < texts.length) break
  }
  return texts
}

/** @returns the JSON of the capabilities of each printer. */
export async function readCapabilityTexts(devices: Devices, printers: Version[]): Promise<Buffer[]> {
  const texts: Buffer[] = []
  for await (const batch of readBatches(devices, printers)) texts.push(...batch.map(({ text }) => text.capabilities))
  return texts
}

async function* readBatches<Printer extends Version>(devices: Devices, printers: Printer[]) {
  for (let start = 0; start < printers.length; start += BATCH) {
    const batch = printers.slice(start, start + BATCH)
    yield await Promise.all(batch.map(async (printer) => ({ printer, text: await readPrinterText(devices, printer) })))
  }
}

type Version = Pick<ListedPrinter, 'id' | 'sequence'>

const readPrinterText = ({ orm, printerTexts }: Devices, { id, sequence }: Version): Promise<PrinterText> =>
  printerTexts.get(`${id} ${sequence}`, async () => {
    const printer = await orm.em.fork().findOneOrFail(PrinterEntity, id, { populate: ['computer'] })
    const { state: _, updatedAt: __, capabilities, ...others } = printerToJson(printerToProto(printer))
    const text = Buffer.from(JSON.stringify(capabilities))
    const facts = Buffer.concat([Buffer.from(`${JSON.stringify(others).slice(0, -1)},"capabilities":`), text])
    return { facts, capabilities: facts.subarray(-text.length) }
  })

const toState = ({ computerState, reportedState, updatedAt }: ListedPrinter) =>
  Buffer.from(`,"state":"${toShownState(computerState, reportedState)}","updatedAt":"${updatedAt.toISOString()}"}`)
