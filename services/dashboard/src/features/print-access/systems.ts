/** How a system adds a printer by IPP. What each system can: docs/ipp.md. */

/** The address of a printer with the secret of a print access. */
export interface PrinterAddress {
  /** The origin of the installation. */
  origin: string
  /** The number of the printer, or of the destination. */
  number: number
  isDestination: boolean
  secret: string
}

export const SYSTEMS = ['Windows', 'macOS', 'Linux', 'iPhone and iPad', 'Android', 'ChromeOS'] as const
export type System = (typeof SYSTEMS)[number]

/** A line for a terminal, or a value for a field of the system. */
export interface Step {
  label: string
  value: string
}

/** Its parts, as fields and profiles have them. The path begins without a slash. */
export function splitAddress({ origin, number, isDestination, secret }: PrinterAddress) {
  const { protocol, hostname, port } = new URL(origin)
  const isSecure = protocol === 'https:'
  const path = `ipp/print/${isDestination ? 'd/' : ''}${number}/${secret}`
  return { isSecure, hostname, port: Number(port) || (isSecure ? 443 : 80), path }
}

/** The port is always named, because the usual one of `ipps` is 631. */
function toIppUrl(address: PrinterAddress): string {
  const { isSecure, hostname, port, path } = splitAddress(address)
  return `${isSecure ? 'ipps' : 'ipp'}://${hostname}:${port}/${path}`
}

function toHttpUrl(address: PrinterAddress): string {
  const { isSecure, hostname, port, path } = splitAddress(address)
  return `${isSecure ? 'https' : 'http'}://${hostname}:${port}/${path}`
}

/** @param name of the printer. */
export function listSteps(system: System, address: PrinterAddress, name: string): Step[] {
  const ipp = toIppUrl(address)
  const { isSecure, hostname, port, path } = splitAddress(address)
  switch (system) {
    case 'Windows':
      return [
        {
          label: 'In PowerShell',
          value: `Add-Printer -Name '${name.replaceAll("'", "''")}' -IppURL '${toHttpUrl(address)}'`,
        },
        {
          label: 'Or in “Add a printer”: “using an IP address or hostname”, device type “IPP Device”',
          value: toHttpUrl(address),
        },
      ]
    case 'macOS':
      return [{ label: 'In the terminal', value: toLpadmin(name, ipp) }]
    case 'Linux':
      // An offline printer blocks the local queue unless the address has this parameter.
      return [{ label: 'In a shell', value: `sudo ${toLpadmin(name, `${ipp}?waitjob=false`)}` }]
    case 'iPhone and iPad':
      return []
    case 'Android':
      return [{ label: 'Settings, “Printing”, “Default Print Service”, “Add printer by IP address”', value: ipp }]
    case 'ChromeOS':
      return [
        { label: 'Settings, “Print”, “Add printer”: address', value: `${hostname}:${port}` },
        {
          label: 'Protocol',
          value: isSecure ? 'Internet Printing Protocol (IPPS)' : 'Internet Printing Protocol (IPP)',
        },
        { label: 'Queue', value: path },
      ]
  }
}

const toLpadmin = (name: string, url: string) => `lpadmin -p '${toQueueName(name)}' -E -v '${url}' -m everywhere`

/** CUPS permits no spaces, slashes and number signs in names of queues. */
const toQueueName = (name: string) => name.replaceAll(/[^\p{L}\p{N}_.-]+/gu, '_').slice(0, 127) || 'platen'

/** @param userAgent of the browser. */
export function detectSystem(userAgent: string): System {
  if (/iPhone|iPad/.test(userAgent)) return 'iPhone and iPad'
  if (/Android/.test(userAgent)) return 'Android'
  if (/CrOS/.test(userAgent)) return 'ChromeOS'
  if (/Mac OS X/.test(userAgent)) return 'macOS'
  return /Windows/.test(userAgent) ? 'Windows' : 'Linux'
}
