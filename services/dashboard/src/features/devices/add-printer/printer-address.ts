/** The address of a network printer as a user types it, and as the agent gets it. */

export const KINDS = {
  ipp: { label: 'IPP', example: '192.168.0.9', hint: 'Most printers of the last ten years.' },
  ipps: { label: 'IPP, encrypted', example: 'office-printer.local', hint: 'IPP with TLS.' },
  socket: { label: 'Raw (port 9100)', example: '192.168.0.9:9100', hint: 'Label and receipt printers.' },
} as const

export type Kind = keyof typeof KINDS

const PATH = '/ipp/print'

export function splitUri(uri = ''): { kind: Kind; address: string } {
  const [, scheme = 'ipp', address = ''] = /^(ipps?|socket):\/\/(.*)$/.exec(uri) ?? []
  const kind = scheme as Kind
  return { kind, address: kind === 'socket' || !address.endsWith(PATH) ? address : address.slice(0, -PATH.length) }
}

/** @param address also with a scheme, which is used instead of the kind. */
export function toUri(kind: Kind, address: string): string {
  const text = address.trim()
  if (/^\w+:\/\//.test(text)) return text
  return `${kind}://${text}${kind === 'socket' || text.includes('/') ? '' : PATH}`
}
