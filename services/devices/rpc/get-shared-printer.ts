import {
  ComputerSchema,
  type GetSharedPrinterRequest,
  PrinterSchema,
} from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { parseNumber } from '@platen/resources/parse-number.ts'
import { listColumns } from '@platen/runtime/database/row-to-message.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { validate as isUuid } from 'uuid'
import type { Devices } from '../devices.ts'
import { computerToProto, printerToProto } from '../devices-to-proto.ts'
import type { Computer, Printer } from '../entities.ts'

const SELECT = `
SELECT ${listColumns(PrinterSchema, 'printer', { computed: ['state'], prefix: 'printer.' })},
  printer.reported_state AS "printer.reportedState", printer.newer_capabilities AS "printer.newerCapabilities",
  ${listColumns(ComputerSchema, 'computer', { prefix: 'computer.' })}
FROM devices.printer JOIN devices.computer ON computer.id = computer_id WHERE removed_at IS NULL AND`

const OWN = 'printer.organization_id = $2 AND printer.mode = $3'

const BY = {
  'id of all': { name: 'shared printer', text: `${SELECT} printer.id = $1 AND shared` },
  id: { name: 'printer for IPP by id', text: `${SELECT} printer.id = $1 AND ${OWN}` },
  number: { name: 'printer for IPP by number', text: `${SELECT} printer.number = $1 AND ${OWN}` },
}

/**
 * A printer for IPP. Of an organization also one that is not shared, because a computer that has added it must learn
 * that. Without an organization, that is without a credential, only a shared one by its id, which cannot be guessed,
 * unlike its number.
 *
 * A prepared statement, because a computer asks several times a second while it prints.
 *
 * @throws ApiError `not_found`.
 */
export async function getSharedPrinter(
  { pool }: Pick<Devices, 'pool'>,
  { organizationId, mode, printer: text }: GetSharedPrinterRequest,
) {
  const number = organizationId ? parseNumber(text) : undefined
  const by = isUuid(text) ? (organizationId ? 'id' : 'id of all') : 'number'
  if (by === 'number' && number === undefined) throw notFound()
  const values = [by === 'number' ? number : text, ...(organizationId ? [organizationId, mode] : [])]
  const { rows } = await pool.query<Record<string, unknown>>({ ...BY[by], values })
  if (!rows[0]) throw notFound()
  const { printer, computer } = split(rows[0])
  return { printer: printerToProto({ ...printer, computer }), computer: computerToProto(computer) }
}

const notFound = () => new ApiError('not_found', 'There is no such printer.')

function split(row: Record<string, unknown>) {
  const select = (table: string) =>
    Object.fromEntries(
      Object.entries(row)
        .filter(([name]) => name.startsWith(`${table}.`))
        .map(([name, value]) => [name.slice(table.length + 1), value]),
    )
  return { printer: select('printer') as unknown as Printer, computer: select('computer') as unknown as Computer }
}
