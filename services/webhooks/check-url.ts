import { ApiError } from '@platen/runtime/errors.ts'
import { FetchFailure } from '@platen/runtime/fetch/failure.ts'
import type { PublicNetwork } from '@platen/runtime/fetch/public-network.ts'
import { urlFaultText } from '@platen/runtime/fetch/public-url.ts'

/** Live events are sent over TLS only. Reference: docs/reference/webhooks.md#webhook.url.live-http. */
export const isSecureEnough = (mode: string, { protocol }: URL) => mode !== 'live' || protocol === 'https:'

/** For looking up the host: less than the 5 s that the caller waits for the whole call. */
const LOOK_UP_LIMIT_MS = 4_000

/**
 * Whether deliveries may go there: by the network that they will go by, which looks again at each attempt. A host without an address and
 * one with an address that is refused are told alike: nobody is to learn here what there is inside.
 *
 * @throws ApiError `invalid_request` if the text is not an http or https URL; `invalid_url` if the URL is not permitted. Reference:
 *   docs/reference/webhooks.md#creation.
 */
export async function checkUrl(network: PublicNetwork, text: string, mode: string): Promise<void> {
  const read = network.readUrl(text)
  if ('fault' in read) {
    const code = read.fault === 'length' || read.fault === 'form' ? 'invalid_request' : 'invalid_url'
    throw new ApiError(code, `\`url\`: the URL ${urlFaultText(read.fault)}.`)
  }
  if (!isSecureEnough(mode, read.url))
    throw new ApiError('invalid_url', '`url`: in live mode the URL must begin with https. Test mode takes http, too.')
  try {
    await network.addressesOf(read.url, AbortSignal.timeout(LOOK_UP_LIMIT_MS))
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    throw new ApiError(
      'invalid_url',
      '`url`: the URL must have a host with a public address. Receivers in a network of your own can be allowed by the operator of this service.',
      { cause: error },
    )
  }
}
