import { ApiError } from '@platen/runtime/errors.ts'
import { checkAddresses, type PublicNetwork, refusedHostText } from '@platen/runtime/fetch/public-network.ts'
import { urlFaultText } from '@platen/runtime/fetch/public-url.ts'

/** Live events are only sent over TLS. Reference: docs/reference/webhooks.md#webhook.url.live-http. */
export const isSecureEnough = (mode: string, { protocol }: URL) => mode !== 'live' || protocol === 'https:'

/** Less than the timeout of the call, which is 5 s. */
const DNS_TIMEOUT_MS = 4_000

/**
 * Checks whether deliveries may be sent to this URL. Each attempt repeats the check.
 *
 * @throws ApiError `invalid_request` if the text is not an http or https URL; `invalid_url` if the URL is not
 *   permitted; `service_unavailable` if DNS does not answer. Reference: docs/reference/webhooks.md#creation.
 */
export async function checkUrl(network: PublicNetwork, text: string, mode: string): Promise<void> {
  const read = network.readUrl(text)
  if ('fault' in read) {
    const code = read.fault === 'length' || read.fault === 'form' ? 'invalid_request' : 'invalid_url'
    throw refusal(urlFaultText(read.fault), { code })
  }
  if (!isSecureEnough(mode, read.url))
    throw refusal('must begin with `https` in live mode. Test mode also permits `http`')
  await checkAddresses(network, read.url, DNS_TIMEOUT_MS, (cause) => refusal(refusedHostText(read.url), { cause }))
}

const refusal = (
  fault: string,
  { code = 'invalid_url', cause }: { code?: 'invalid_request' | 'invalid_url'; cause?: unknown } = {},
) => new ApiError(code, `\`url\`: ${fault}.`, { cause, param: 'url' })
