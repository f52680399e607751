/**
 * The printers of the installation for computers, by IPP: docs/ipp.md. Off by default. It is a step of every request,
 * before those of the API, because its credentials, errors and answers have other forms. It calls the same services as
 * `/v1`.
 */
import type { IncomingMessage } from 'node:http'
import type { IppOperation } from '@platen/ipp/operations.ts'
import { BUDGETS } from '@platen/resources/budgets.ts'
import { PRINT_ACCESS_LIMITS, UPLOADS_AT_ONCE } from '@platen/resources/limits.ts'
import { toClientNetwork } from '@platen/runtime/client-network.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { pause } from '@platen/runtime/retry.ts'
import { TokenBuckets } from '@platen/runtime/token-bucket.ts'
import { createPrintAccesses } from '../authentication/print-access.ts'
import { type Caller, getActor, getCredentialId, requireActive } from '../caller.ts'
import { getTenant, type RequestContext, type Step } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { createConcurrencyLimit } from '../rate-limit/concurrency-limit.ts'
import { countRequest } from '../rate-limit/limit-rate.ts'
import { permitSlowBody } from '../slow-clients.ts'
import { type Address, ICON, parseAddress, ROOT, ROUTE, toUris } from './addresses.ts'
import { createPrinterLookUp } from './find-printer.ts'
import { identify } from './identify.ts'
import type { AccessCall, IppAnswer, IppOperationRow, PrinterCall } from './operation.ts'
import { IPP_OPERATIONS } from './operations.ts'
import { IppRefusal } from './refusal.ts'
import { checkRequest, type IppRequest, readToEnd, receiveRequest } from './request.ts'
import { isIpp, writeAnswer, writeError, writeHttp, writeIcon } from './write-answer.ts'

const ACCESSES_MAX = 10_000
const ORGANIZATIONS_MAX = 10_000
/** A computer that sends one request after the other waits for its rate, and is not refused. */
const WAIT_MAX_MS = 1_000

/** An error that HTTP answers, because the request has no valid secret. */
class HttpRefusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const noPrinter = () => new HttpRefusal(404, 'There is no printer at this address.')

export function serveIpp(gateway: Gateway): Step {
  const { clock, stopping, publicUrl, isEncrypted, getClientAddress } = gateway
  const now = () => clock.monotonicMs()
  const accesses = createPrintAccesses({ accounts: gateway.accounts, now })
  const findPrinter = createPrinterLookUp(gateway)
  const operations = new Map<IppOperation, { row: IppOperationRow; handle: (call: never) => Promise<IppAnswer> }>(
    IPP_OPERATIONS.map((row) => [row.name, { row, handle: row.handle(gateway) as never }]),
  )
  const { requestsPerSecond, documentsAtOnce, documentPauseMs, documentTotalMs } = PRINT_ACCESS_LIMITS
  const perAccess = new TokenBuckets({ perSecond: requestsPerSecond, burst: requestsPerSecond }, ACCESSES_MAX, now)
  const { max } = BUDGETS.printAccessRequests
  const perOrganization = new TokenBuckets({ perSecond: max, burst: max }, ORGANIZATIONS_MAX, now)
  const limitDocuments = createConcurrencyLimit('documents', {
    perKey: documentsAtOnce,
    perOrganization: UPLOADS_AT_ONCE.perOrganization,
  })

  /** Waits until the rate of the access permits the request. @throws ApiError `rate_limited`. */
  async function takeRequest(caller: Caller): Promise<void> {
    const refuse = (exceeded: string) => new ApiError('rate_limited', `${exceeded} requests a second. Try again later.`)
    const waitMs = perAccess.get(getCredentialId(caller)).takeWithin(WAIT_MAX_MS)
    if (waitMs === undefined) throw refuse(`This print access can make ${requestsPerSecond}`)
    if (!perOrganization.get(caller.organization.id).tryTake())
      throw refuse(`The print accesses of the organization can make ${max}`)
    if (waitMs > 0) await pause(waitMs, stopping)
  }

  /** Documents are not refused, because a computer would send the whole document again. */
  function countDocument(caller: Caller): void {
    perAccess.get(getCredentialId(caller)).tryTake()
    perOrganization.get(caller.organization.id).tryTake()
  }

  /** Requests without an access are counted by their address, so that a flood costs the services little. */
  async function limitRate(ctx: RequestContext, caller: Caller | undefined, hasDocument: boolean): Promise<void> {
    if (!caller) {
      const id = `address:${toClientNetwork(getClientAddress(ctx.req))}`
      return await countRequest(gateway.rateLimiter, ctx, { kind: 'address', id, organizationId: id })
    }
    if (hasDocument) countDocument(caller)
    else await takeRequest(caller)
  }

  async function run(
    ctx: RequestContext,
    address: Address,
    caller: Caller | undefined,
    request: IppRequest,
  ): Promise<IppAnswer> {
    const found = request.operation && operations.get(request.operation)
    if (!caller && !found?.row.withoutAccess)
      throw new HttpRefusal(401, 'This needs the secret of a print access as the password.')
    await limitRate(ctx, caller, found?.row.hasDocument === true)
    if (caller) requireActive(caller.organization)
    if (!found)
      throw new IppRefusal('server-error-operation-not-supported', 'This printer does not have this operation.')
    if (!found.row.hasDocument) await readToEnd(request.document)
    const target = await findPrinter(address, caller).catch((error: unknown) => {
      throw !caller && error instanceof ApiError && error.code === 'not_found' ? noPrinter() : error
    })
    const call: PrinterCall = {
      ...request,
      ctx,
      target,
      offer: target.offer,
      uris: toUris(ctx, address, publicUrl),
      caller,
    }
    const access: AccessCall | PrinterCall = caller
      ? { ...call, caller, tenant: getTenant(ctx), createdBy: getActor(caller).by, limitDocuments }
      : call
    // Documents have limits of their own.
    return await gateway.limitWork(ctx, () => found.handle(access as never), found.row.hasDocument ? 0 : 1)
  }

  async function answer(ctx: RequestContext, address: Address): Promise<void> {
    const caller = await identify(gateway, accesses, ctx, address)
    ctx.state.caller = caller
    if (caller) permitSlowBody(ctx.req, { pauseMs: documentPauseMs, totalMs: documentTotalMs })
    const received = await receiveRequest(ctx)
    if (!received) throw new HttpRefusal(400, 'This is no request of IPP.')
    try {
      writeAnswer(ctx, received.head, await run(ctx, address, caller, checkRequest(received)))
    } catch (error) {
      if (error instanceof HttpRefusal) throw error
      writeError(ctx, gateway, received.head, error)
    }
  }

  return async (ctx, next) => {
    if (ctx.path === ICON && ctx.method === 'GET') return writeIcon(ctx as RequestContext)
    if (!ctx.path.startsWith(ROOT)) return await next()
    // Logs, spans and metrics have it instead of the path.
    ctx._matchedRoute = ROUTE
    try {
      if (!isEncrypted && !isOnThisComputer(ctx.req))
        throw new HttpRefusal(426, 'Printers need TLS. Use an ipps address.')
      const address = parseAddress(ctx.path)
      if (!address) throw noPrinter()
      if (ctx.method !== 'POST' || !isIpp(ctx as RequestContext))
        throw new HttpRefusal(
          ctx.method === 'POST' ? 415 : 405,
          'This is the address of a printer. Add it to a computer.',
        )
      await answer(ctx as RequestContext, address)
    } catch (error) {
      const refusal = toHttpRefusal(error)
      ctx.state.errorCode =
        refusal.status === 404 ? 'not_found' : refusal.status === 401 ? 'unauthorized' : 'invalid_request'
      if (refusal.status === 401) ctx.set('WWW-Authenticate', 'Basic realm="Platen"')
      if (refusal.status === 405) ctx.set('Allow', 'POST')
      if (refusal.status === 426) ctx.set('Upgrade', 'TLS/1.2')
      writeHttp(ctx as RequestContext, refusal.status, refusal.message)
    }
  }
}

/** A proxy on this computer forwards requests of others. */
const isOnThisComputer = ({ socket: { remoteAddress = '' }, headers }: IncomingMessage) =>
  /^(::1$|(::ffff:)?127\.)/.test(remoteAddress) && !('x-forwarded-for' in headers)

/** @throws errors that the step of all requests answers. */
function toHttpRefusal(error: unknown): HttpRefusal {
  if (error instanceof HttpRefusal) return error
  if (!(error instanceof ApiError)) throw error
  if (error.code === 'not_found') return noPrinter()
  if (error.code === 'invalid_request' || error.code === 'service_unavailable') throw error
  return new HttpRefusal(error.status, error.message)
}
