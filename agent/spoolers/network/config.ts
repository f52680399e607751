/** The printers of `agent.json`. They have no queue in the operating system. */
import { fileURLToPath } from 'node:url'
import { findFileNameFault } from '../folder/file-name.ts'

/**
 * An entry of `printers` in `agent.json`. Papers and resolutions are configured, because a raw printer cannot be
 * queried.
 */
export interface NetworkPrinter {
  /** Identifies the printer on this computer. */
  name: string
  /**
   * `socket://host[:9100][?waiteof=false]`, `ipp://host[:631]/path`, `ipps://…`, or `file:///directory` of a folder
   * printer.
   */
  uri: string
  /** The pattern of a folder printer, see `folder/file-name.ts`. */
  fileName?: string
  description?: string
  /**
   * [width, height] in tenths of a millimetre; the height of a roll is null. Reference:
   * docs/reference/printers.md#capabilities.papers.
   */
  papers?: Record<string, [width: number, height: number | null]>
  /** "203x203". */
  dpis?: string[]
}

export const NETWORK_PRINTERS_MAX = 100
const NAME_MAX = 127
const DESCRIPTION_MAX = 255
/** Only the owner of the computer chooses a directory, in `agent.json`. */
const NETWORK_SCHEMES = ['socket:', 'ipp:', 'ipps:']
export const OWNER_SCHEMES = [...NETWORK_SCHEMES, 'file:']

/** The ports of printers, of which the first is the default. */
const IPP_PORTS = [631, 443, 80]
const PRINTER_PORTS: Record<string, number[]> = {
  'ipp:': IPP_PORTS,
  'ipps:': IPP_PORTS,
  'socket:': Array.from({ length: 10 }, (_, n) => 9100 + n),
}

export interface PrinterPort {
  port: number
  /** Whether printers of this scheme have this port. */
  isUsual: boolean
}

/** @param uri of a network printer. */
export function getPrinterPort(uri: string): PrinterPort {
  const { protocol, port: text } = new URL(uri)
  const ports = PRINTER_PORTS[protocol] ?? []
  const port = Number(text || ports[0])
  return { port, isUsual: ports.includes(port) }
}

/** @returns the name or address, without brackets. */
export const getHost = (uri: string) => decodeURIComponent(new URL(uri).hostname).replace(/^\[(.*)\]$/, '$1')

const toAddress = (uri: string) => `${getHost(uri)} ${getPrinterPort(uri).port}`

/** @returns the printer with the host and port of this URI. */
export function findByAddress(printers: readonly NetworkPrinter[], uri: string): NetworkPrinter | undefined {
  const address = toAddress(uri)
  return printers.find((printer) => toAddress(printer.uri) === address)
}

export const isFolder = ({ uri }: Pick<NetworkPrinter, 'uri'>) => /^file:/i.test(uri)

/**
 * @param value the value of `printers` in `agent.json`; undefined for no printers.
 * @param faults a phrase is added for each fault. The caller puts the name of the file before it.
 * @returns the printers, valid only if no fault was added.
 */
export function parseNetworkPrinters(value: unknown, faults: string[], schemes = NETWORK_SCHEMES): NetworkPrinter[] {
  if (value === undefined) return []
  if (!Array.isArray(value) || value.length > NETWORK_PRINTERS_MAX) {
    faults.push(`"printers" must be an array of at most ${NETWORK_PRINTERS_MAX} printers`)
    return []
  }
  const names = new Set<unknown>()
  for (const [index, printer] of value.entries()) {
    const path = `"printers[${index}]"`
    if (!isRecord(printer)) {
      faults.push(`${path} must be an object with "name" and "uri"`)
      continue
    }
    faults.push(...findPrinterFaults(printer, schemes).map((fault) => `${path}: ${fault}`))
    if (names.has(printer.name)) faults.push(`${path}: "name" is used by another printer`)
    names.add(printer.name)
  }
  return value
}

/** @returns a phrase for each fault. */
export function findPrinterFaults(
  { name, uri, description, papers, dpis, fileName, ...unknown }: Record<string, unknown>,
  schemes = NETWORK_SCHEMES,
): string[] {
  const faults = Object.keys(unknown).map((field) => `unknown field "${field}"`)
  if (!isText(name, NAME_MAX)) faults.push(`"name" must be 1 to ${NAME_MAX} characters in one line`)
  const uriFault = findUriFault(uri, schemes)
  if (uriFault) faults.push(uriFault)
  if (fileName !== undefined) faults.push(...findFileNameFaults(fileName, uri))
  if (description !== undefined && !isText(description, DESCRIPTION_MAX))
    faults.push(`"description" must be 1 to ${DESCRIPTION_MAX} characters in one line`)
  if (papers !== undefined && !(isRecord(papers) && Object.entries(papers).every(isPaper)))
    faults.push('"papers" must have the form {"4x6": [1016, 1524], "Roll": [1016, null]}, in tenths of a millimetre')
  if (dpis !== undefined && !(Array.isArray(dpis) && dpis.every(isResolution)))
    faults.push('"dpis" must have the form ["203x203"]')
  return faults
}

function findFileNameFaults(fileName: unknown, uri: unknown): string[] {
  if (typeof uri !== 'string' || !isFolder({ uri })) return ['only a file: printer has a "fileName"']
  const fault = findFileNameFault(fileName)
  return fault ? [fault] : []
}

function findUriFault(value: unknown, schemes: string[]): string | undefined {
  const forms = ['"socket://192.168.0.9:9100"', '"ipp://printer.local/ipp/print"', '"ipps://…"']
  const expected = `"uri" must have the form ${forms.join(', ')}${schemes.includes('file:') ? ' or "file:///srv/archive"' : ''}`
  if (typeof value !== 'string' || !URL.canParse(value)) return expected
  const { protocol, hostname, pathname, port, search, hash, username, password } = new URL(value)
  if (!schemes.includes(protocol)) return expected
  if (protocol === 'file:')
    return isDirectoryUrl(value) ? undefined : '"uri" of a folder must be "file://" and an absolute path'
  if (hostname === '' || port === '0') return expected
  if (username !== '' || password !== '' || hash !== '') return '"uri" must not contain a user, a password or "#"'
  if (protocol !== 'socket:') return search === '' ? undefined : '"uri" of an IPP printer must not contain "?"'
  if (pathname !== '' && pathname !== '/') return '"uri" of a socket: printer must not have a path'
  if (search !== '' && !/^\?waiteof=(true|false)$/.test(search))
    return '"uri" of a socket: printer may contain only "?waiteof=false" after its port'
  return undefined
}

/** Windows needs a drive in the path. */
function isDirectoryUrl(url: string): boolean {
  const { host, search, hash, pathname } = new URL(url)
  if (host !== '' || search !== '' || hash !== '' || pathname === '/') return false
  try {
    return !fileURLToPath(url).includes('\0')
  } catch {
    return false
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isText = (value: unknown, maxCharacters: number) =>
  typeof value === 'string' && value.trim() !== '' && value.length <= maxCharacters && !/\p{Cc}/u.test(value)

const isPaper = ([name, size]: [string, unknown]) =>
  isText(name, NAME_MAX) &&
  Array.isArray(size) &&
  size.length === 2 &&
  isSide(size[0]) &&
  (size[1] === null || isSide(size[1]))

const isSide = (value: unknown) => Number.isInteger(value) && Number(value) > 0 && Number(value) <= 2 ** 31 - 1

const isResolution = (value: unknown) => typeof value === 'string' && /^[1-9]\d{0,4}x[1-9]\d{0,4}$/.test(value)
