/** Finds the printer that a creation names. Reference: docs/reference/print-jobs.md#create.printer. */
import type { Computer, Printer } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { parseNumber } from '@platen/resources/parse-number.ts'
import { quoted } from '@platen/resources/text.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Tenant } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import type { PrintJobRequest } from './upload/print-job-request.ts'

const CANDIDATES_MAX = 10

/**
 * A name for people has precedence over a name that an agent reports, and both over a number.
 *
 * @returns the id.
 * @throws ApiError `not_found`; `invalid_request` with the candidates if several printers have the name.
 */
export async function findPrinter(
  { devices }: Pick<Gateway, 'devices'>,
  tenant: Tenant,
  { printerId, printer = '' }: Pick<PrintJobRequest, 'printerId' | 'printer'>,
): Promise<string> {
  if (printerId !== undefined) return printerId
  const { printerIds } = await devices.findPrinters({ ...tenant, text: printer, wholeName: true })
  const named = printerIds.length === 0 ? [] : await readNamed(devices, tenant, printerIds, printer)
  const [first, ...others] = named
  if (first && others.length > 0) throw ambiguous(printer, named)
  if (first) return first.id
  const number = parseNumber(printer)
  const numbers = number === undefined ? [] : [{ from: number, to: number }]
  const found = numbers.length > 0 ? await devices.listNumberedPrinters({ ...tenant, numbers, limit: 1 }) : undefined
  const id = found?.printers[0]?.id
  if (id === undefined)
    throw new ApiError(
      'not_found',
      `No printer in ${tenant.mode} mode has the name or number ${quoted(printer)}. \`GET /v1/printers\` lists them.`,
      { param: 'printer' },
    )
  return id
}

type Named = Pick<Printer, 'id' | 'number' | 'displayName'> & { computer: Computer | undefined }

/** Compares names again, because the previous release also finds parts of names. */
async function readNamed(
  devices: Gateway['devices'],
  tenant: Tenant,
  printerIds: string[],
  text: string,
): Promise<Named[]> {
  const { printers, computers } = await devices.listNumberedPrinters({ ...tenant, printerIds, limit: CANDIDATES_MAX })
  const rules: ((printer: Printer) => boolean)[] = [
    ({ displayName }) => displayName === text,
    ({ name, osName }) => name === text || osName === text,
  ]
  const matches = rules.map((rule) => printers.filter(rule)).find((some) => some.length > 0) ?? []
  return matches.map((one) => ({ ...one, computer: computers.find(({ id }) => id === one.computerId) }))
}

function ambiguous(text: string, named: Named[]): ApiError {
  const candidates = named.map(
    ({ id, number, computer }) => `#${number} of computer ${quoted(computer?.name ?? '')} (${id})`,
  )
  return new ApiError(
    'invalid_request',
    `\`printer\`: ${named.length} printers have the name ${quoted(text)}. Send the number or the \`printerId\` of one: ${candidates.join(', ')}.`,
    { param: 'printer' },
  )
}
