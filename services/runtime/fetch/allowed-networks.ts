import { isIP } from 'node:net'
import { z } from 'zod'
import type { AllowedNetwork, Network } from './public-address.ts'

const ENTRY = /^(?<address>[0-9a-fA-F.:]+)\/(?<length>\d{1,3})(?::(?<port>\d{1,5}))?$/
const PORT_MAX = 65_535

/** The setting `PLATEN_TRUSTED_PROXIES`: `10.1.0.0/16,fd12::/48`. Default: none. */
export const trustedProxies = createList<Network>(
  (entry) => (entry.port === undefined ? entry : undefined),
  'is not a network in CIDR notation, such as 10.1.0.0/16',
)

/** The settings `PLATEN_ALLOWED_NETWORKS`: `10.1.0.0/16,10.2.0.0/16:8443`. Default: none. */
export const allowedNetworks = createList<AllowedNetwork>(
  (entry) => entry,
  'is not a network in CIDR notation, such as 10.1.0.0/16, or 10.1.0.0/16:8443 for one port',
)

function createList<Entry>(accept: (entry: AllowedNetwork) => Entry | undefined, fault: string) {
  return z
    .string()
    .default('')
    .transform((list, context): Entry[] =>
      list
        .split(',')
        .map((text) => text.trim())
        .filter((text) => text !== '')
        .flatMap((text) => {
          const parsed = parseEntry(text)
          const entry = parsed && accept(parsed)
          if (entry === undefined) context.addIssue({ code: 'custom', message: `${text} ${fault}` })
          return entry ?? []
        }),
    )
}

function parseEntry(text: string): AllowedNetwork | undefined {
  const { address = '', length, port } = ENTRY.exec(text)?.groups ?? {}
  const family = isIP(address)
  const prefixLength = Number(length)
  if (family === 0 || prefixLength > (family === 4 ? 32 : 128)) return undefined
  if (port === undefined) return { address, prefixLength }
  return Number(port) > 0 && Number(port) <= PORT_MAX ? { address, prefixLength, port: Number(port) } : undefined
}
