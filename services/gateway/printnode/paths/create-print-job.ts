import { PRINT_JOB_LIMITS } from '@platen/resources/limits.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Tenant } from '../../context.ts'
import type { Gateway } from '../../gateway.ts'
import { createBodyHash } from '../../idempotency/body-hash.ts'
import { toOptions } from '../options.ts'
import { readFormBody } from '../read-form-body.ts'
import type { Route } from '../route.ts'

const { titleLengthMax, sourceLengthMax, expireAfterSeconds } = PRINT_JOB_LIMITS
/** The source, which programs do not send. */
const SOURCE = 'printnode'
const KEY_LENGTH_MAX = 255

/**
 * Creates a job. The response is its bare id. The body is JSON, also without a content type, or a form.
 *
 * A key that was used is `409`, unlike the replay of `/v1`.
 */
export const createPrintJob: Route = {
  method: 'POST',
  paths: ['printjobs'],
  scope: 'print',
  // It uses as many as `POST /v1/printjobs`.
  units: 0,
  handle:
    (gateway) =>
    async ({ ctx, tenant }) => {
      const key = ctx.get('X-Idempotency-Key')
      if (key.length > KEY_LENGTH_MAX)
        throw new ApiError('invalid_request', `X-Idempotency-Key has more than ${KEY_LENGTH_MAX} characters.`)
      if (key) ctx.state.idempotency = { key, bodyHash: createBodyHash(gateway.signingKeys), isSubmitted: false }
      const { job, replayed } = await gateway.acceptPrintJob(ctx, tenant, {
        interface: 'printnode',
        fields: (fields) => toFields(gateway, tenant, fields),
        ...(await readFormBody(ctx)),
      })
      if (replayed) throw keyUsed()
      return job.number
    },
}

const keyUsed = () => new ApiError('idempotency_in_progress', 'The X-Idempotency-Key has already been used.')

async function toFields(gateway: Gateway, tenant: Tenant, fields: unknown): Promise<unknown> {
  const sent = (typeof fields === 'object' ? fields : null) as Record<string, unknown> | null
  if (!sent) throw new ApiError('invalid_request', 'The body must be an object.')
  const { title, contentType, content, source, qty, expireAfter, authentication } = sent
  return {
    printerId: await findPrinter(gateway, tenant, sent.printerId ?? sent.printer),
    title: toText(title, titleLengthMax) ?? 'Untitled',
    contentType,
    content,
    source: toText(source, sourceLengthMax) ?? SOURCE,
    ...(qty === undefined || qty === null ? {} : { qty: Number(qty) }),
    expireAfter: toExpireAfter(expireAfter),
    options: toOptions(sent.options),
    ...(authentication ? { authentication: toAuthentication(authentication) } : {}),
  }
}

async function findPrinter({ devices }: Gateway, tenant: Tenant, id: unknown): Promise<string> {
  const number = Number(id)
  const numbers = Number.isInteger(number) && number > 0 && number < 2 ** 31 ? [{ from: number, to: number }] : []
  const found = numbers.length > 0 ? await devices.listNumberedPrinters({ ...tenant, numbers, limit: 1 }) : undefined
  const [printer] = found?.printers ?? []
  if (!printer) throw new ApiError('invalid_request', `Printer ${String(id).slice(0, 20)} does not exist.`)
  return printer.id
}

/** Without NUL and lone surrogates, cut to the limit. */
function toText(text: unknown, lengthMax: number): string | undefined {
  if (typeof text !== 'string' && typeof text !== 'number') return undefined
  const cut = [...String(text).toWellFormed().replaceAll('\0', '')].slice(0, lengthMax).join('')
  return cut === '' ? undefined : cut
}

/** 14 days by default there; the longest time here is 7 days. */
function toExpireAfter(sent: unknown): number {
  const { min, max } = expireAfterSeconds
  const seconds = Math.trunc(Number(sent ?? max))
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, min), max) : max
}

function toAuthentication(sent: unknown): unknown {
  const { type } = sent as { type?: unknown }
  if (type === 'DigestAuth') throw new ApiError('invalid_request', 'DigestAuth is not supported. Use BasicAuth.')
  return sent
}
