/**
 * Printers of lists as JSON of the API. Capabilities can be large, so the text is cached by the printer's `sequence`, which each change of its
 * facts raises. The state and the time of its change are not part of it.
 */
import type { ListPrintersRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { printerToJson } from '@platen/resources/printer-to-json.ts'
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

/** In UTF-8, without the last brace. */
export type PrinterTexts = Cache<Buffer>

export const createPrinterTexts = (): PrinterTexts =>
  createCache({ ttlMs: TTL_MS, max: PRINTERS_MAX, maxBytes: CACHE_MAX_BYTES, getBytes: ({ length }) => length })

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
     WHERE printer.organization_id = $1 AND printer.mode = $2 AND removed_at IS NULL AND ($4::uuid IS NULL OR computer_id = $4)
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
export async function readPrinterTexts({ orm, printerTexts }: Devices, printers: ListedPrinter[]): Promise<Buffer[]> {
  const em = orm.em.fork()
  const read = async (id: string) => {
    const {
      state: _,
      updatedAt: __,
      ...facts
    } = printerToJson(printerToProto(await em.findOneOrFail(PrinterEntity, id, { populate: ['computer'] })))
    return Buffer.from(JSON.stringify(facts).slice(0, -1))
  }
  const texts: Buffer[] = []
  while (texts.length < printers.length && countFitting(texts, ({ length }) => length) === texts.length) {
    const next = printers.slice(texts.length, texts.length + BATCH)
    const facts = await Promise.all(
      next.map(({ id, sequence }) => printerTexts.get(`${id} ${sequence}`, () => read(id))),
    )
    texts.push(...next.map((printer, n) => Buffer.concat([facts[n] ?? Buffer.of(), toState(printer)])))
  }
  return texts
}

const toState = ({ computerState, reportedState, updatedAt }: ListedPrinter) =>
  Buffer.from(`,"state":"${toShownState(computerState, reportedState)}","updatedAt":"${updatedAt.toISOString()}"}`)
