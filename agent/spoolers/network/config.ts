/** Printers that are named in `agent.json`: they have no queue in the operating system, so the agent speaks to them itself. */

/** As it stands in `agent.json`. What a raw printer has in it cannot be asked, so who wants it shown writes it down. */
export interface NetworkPrinter {
  /** Identifies the printer on this computer. */
  name: string
  /** `socket://host[:9100][?waiteof=false]`, `ipp://host[:631]/path` or `ipps://…`. */
  uri: string
  description?: string
  /** [width, height] in tenths of a millimetre; the height of a roll is null. Reference: docs/reference/printers.md#capabilities.papers. */
  papers?: Record<string, [width: number, height: number | null]>
  /** "203x203". */
  dpis?: string[]
}

const PRINTERS_MAX = 100
const NAME_MAX = 127
const DESCRIPTION_MAX = 255
const SCHEMES = ['socket:', 'ipp:', 'ipps:']

/**
 * @param value of `printers` in `agent.json`; undefined is none.
 * @param faults gets a phrase for each thing that is wrong, for a sentence that begins with the file's name.
 * @returns the printers, which are to be used only if nothing was added to `faults`.
 */
export function readNetworkPrinters(value: unknown, faults: string[]): NetworkPrinter[] {
  if (value === undefined) return []
  if (!Array.isArray(value) || value.length > PRINTERS_MAX) {
    faults.push(`"printers" must be an array of at most ${PRINTERS_MAX} printers`)
    return []
  }
  const names = new Set<unknown>()
  for (const [index, printer] of value.entries()) {
    const where = `"printers[${index}]"`
    if (!isRecord(printer)) {
      faults.push(`${where} must be an object of "name" and "uri"`)
      continue
    }
    faults.push(...findFaults(printer).map((fault) => `${where}: ${fault}`))
    if (names.has(printer.name)) faults.push(`${where}: "name" is that of another printer`)
    names.add(printer.name)
  }
  return value
}

function findFaults({ name, uri, description, papers, dpis, ...unknown }: Record<string, unknown>): string[] {
  const faults = Object.keys(unknown).map((field) => `"${field}" is not known`)
  if (!isText(name, NAME_MAX)) faults.push(`"name" must be 1 to ${NAME_MAX} characters in one line`)
  const uriFault = findUriFault(uri)
  if (uriFault) faults.push(uriFault)
  if (description !== undefined && !isText(description, DESCRIPTION_MAX))
    faults.push(`"description" must be 1 to ${DESCRIPTION_MAX} characters in one line`)
  if (papers !== undefined && !(isRecord(papers) && Object.entries(papers).every(isPaper)))
    faults.push('"papers" must be as {"4x6": [1016, 1524], "Roll": [1016, null]}, in tenths of a millimetre')
  if (dpis !== undefined && !(Array.isArray(dpis) && dpis.every(isResolution)))
    faults.push('"dpis" must be as ["203x203"]')
  return faults
}

function findUriFault(value: unknown): string | undefined {
  const asked = '"uri" must be as "socket://192.168.0.9:9100", "ipp://printer.local/ipp/print" or "ipps://…"'
  if (typeof value !== 'string' || !URL.canParse(value)) return asked
  const { protocol, hostname, pathname, port, search, hash, username, password } = new URL(value)
  if (!SCHEMES.includes(protocol) || hostname === '' || port === '0') return asked
  if (username !== '' || password !== '' || hash !== '')
    return '"uri" must have neither a user nor a password nor a "#"'
  if (protocol !== 'socket:') return search === '' ? undefined : '"uri" of an IPP printer must have no "?"'
  if (pathname !== '' && pathname !== '/') return '"uri" of a socket: printer must have no path'
  if (search !== '' && !/^\?waiteof=(true|false)$/.test(search))
    return '"uri" of a socket: printer may have "?waiteof=false" behind its port, and nothing else'
  return undefined
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
