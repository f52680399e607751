import { ApiError } from '@platen/runtime/errors.ts'
import { FetchFailure } from '@platen/runtime/fetch/failure.ts'
import type { PublicNetwork } from '@platen/runtime/fetch/public-network.ts'
import { urlFaultText } from '@platen/runtime/fetch/public-url.ts'

/** Live events are only sent over TLS. Reference: docs/reference/webhooks.md#webhook.url.live-http. */
export const isSecureEnough = (mode: string, { protocol }: URL) => mode !== 'live' || protocol === 'https:'

/** Less than the timeout of the call, which is 5 s. */
const DNS_TIMEOUT_MS = 4_000

/**
 * Checks whether deliveries may be sent to this URL. Each attempt repeats the check. A host without an address and one with a private
 * address get the same error, because the difference would reveal hosts of the internal network.
 *
 * @throws ApiError `invalid_request` if the text is not an http or https URL; `invalid_url` if the URL is not permitted. Reference:
 *   docs/reference/webhooks.md#creation.
 */
export async function checkUrl(network: PublicNetwork, text: string, mode: string): Promise<void> {
  const read = network.readUrl(text)
  if ('fault' in read) {
    const code = read.fault === 'length' || read.fault === 'form' ? 'invalid_request' : 'invalid_url'
    throw new ApiError(code, `\`url\`: ${urlFaultText(read.fault)}.`)
  }
  if (!isSecureEnough(mode, read.url))
    throw new ApiError('invalid_url', '`url`: must begin with `https` in live mode. Test mode also permits `http`.')
  try {
    await network.resolveAddresses(read.url, AbortSignal.timeout(DNS_TIMEOUT_MS))
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    throw new ApiError(
      'invalid_url',
      '`url`: the host does not resolve to a public address. Check the name. The operator of this service can permit private networks.',
      { cause: error },
    )
  }
}
