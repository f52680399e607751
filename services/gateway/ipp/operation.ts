import type { IppTypedAttributes } from '@platen/ipp/attributes.ts'
import type { IppOperation } from '@platen/ipp/operations.ts'
import type { IppStatus } from '@platen/ipp/status-codes.ts'
import type { Caller } from '../caller.ts'
import type { RequestContext, Tenant } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import type { ConcurrencyLimit } from '../rate-limit/concurrency-limit.ts'
import type { Uris } from './addresses.ts'
import type { FoundPrinter } from './find-printer.ts'
import type { Offer } from './offer.ts'
import type { IppRequest } from './request.ts'

/** A request for one printer. */
export interface PrinterCall extends IppRequest {
  ctx: RequestContext
  target: FoundPrinter
  offer: Offer
  uris: Uris
  /** Undefined for an operation that needs no print access. */
  caller: Caller | undefined
}

/** A request with a print access. */
export interface AccessCall extends PrinterCall {
  caller: Caller
  tenant: Tenant
  /** `print_access:<id>`: its jobs are the only ones that exist for it. */
  createdBy: string
  limitDocuments: ConcurrencyLimit
}

export interface IppAnswer {
  /** Default: "successful-ok", or with `unsupported` "successful-ok-ignored-or-substituted-attributes". */
  status?: IppStatus
  printer?: IppTypedAttributes
  jobs?: IppTypedAttributes[]
  unsupported?: IppTypedAttributes
}

interface Definition<Call> {
  name: IppOperation
  /** Whether it takes a document, so that it is not refused for its rate after the document was sent. */
  hasDocument?: boolean
  handle(gateway: Gateway): (call: Call) => Promise<IppAnswer>
}

export type IppOperationRow =
  | (Definition<AccessCall> & { withoutAccess?: false })
  /** Computers ask for attributes without a password. */
  | (Definition<PrinterCall> & { withoutAccess: true })
