import { isIP } from 'node:net'
import { z } from 'zod'
import type { Network } from './public-address.ts'

/** The settings `PLATEN_ALLOWED_NETWORKS` and `PLATEN_TRUSTED_PROXIES`: `10.1.0.0/16,fd12::/48`. Default: none. */
export const allowedNetworks = z
  .string()
  .default('')
  .transform((list, context): Network[] =>
    list
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
      .flatMap((entry) => {
        const network = parseNetwork(entry)
        if (!network)
          context.addIssue({
            code: 'custom',
            message: `${entry} is not a network in CIDR notation, such as 10.1.0.0/16`,
          })
        return network ?? []
      }),
  )

function parseNetwork(text: string): Network | undefined {
  const [, address = '', length = ''] = /^([0-9a-fA-F.:]+)\/(\d{1,3})$/.exec(text) ?? []
  const family = isIP(address)
  const prefixLength = Number(length)
  return family !== 0 && prefixLength <= (family === 4 ? 32 : 128) ? { address, prefixLength } : undefined
}
