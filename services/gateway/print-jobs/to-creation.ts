/** What the service jobs creates from a request, the same for one job and for each of a batch. */
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { currentTraceparent } from '@platen/runtime/telemetry/trace-context.ts'
import { getActor } from '../caller.ts'
import { getCaller, type RequestContext, type Tenant } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { findTarget } from './find-target.ts'
import { toSheets } from './options/to-sheets.ts'
import { preparePrintJob } from './prepare-print-job.ts'
import { createPrintsLimitLookUp } from './prints-limit.ts'
import { chooseDocument, type ReceivedDocument } from './upload/choose-document.ts'
import { isUri, type PrintJobRequest } from './upload/print-job-request.ts'

export interface AcceptedRequest {
  jobId: string
  request: PrintJobRequest
  received: ReceivedDocument
  /** Runs the look-up of a host, which can take seconds. */
  runLookUp: <Result>(lookUp: () => Promise<Result>) => Promise<Result>
  /** The name of another interface than `/v1`. */
  interface?: string | undefined
}

export type ToCreation = ReturnType<typeof createToCreation>

/**
 * @returns a function that finds the printer or destination, resolves the options and chooses the document.
 * @throws ApiError of each.
 */
export function createToCreation(gateway: Omit<Gateway, 'createJob' | 'acceptPrintJob' | 'acceptBatch'>) {
  const findPrintsLimit = createPrintsLimitLookUp(gateway, () => gateway.clock.monotonicMs())

  return async (
    ctx: RequestContext,
    tenant: Tenant,
    { jobId, request, received, runLookUp, interface: by }: AcceptedRequest,
  ) => {
    const { actor, by: createdBy } = getActor(getCaller(ctx))
    const {
      document: _,
      options: __,
      printerId: ___,
      printer: ____,
      destination: _____,
      retain,
      notBefore,
      ...facts
    } = request
    const [target, printsLimit] = await Promise.all([findTarget(gateway, tenant, request), findPrintsLimit(tenant)])
    const { printerId, destination } = target
    const prepared = await preparePrintJob(gateway, tenant, request, target)
    const { printer, document: requested, options, effectiveOptions, warning, expireAfter } = prepared
    const sheets = toSheets(effectiveOptions, printer)
    const choose = () => chooseDocument(gateway, { document: requested, sheets }, jobId, received)
    const document = await (isLookUp(request) ? runLookUp(choose) : choose())
    return {
      ...facts,
      jobId,
      ...tenant,
      printerId,
      computerId: printer.computerId,
      options,
      effectiveOptions,
      optionWarning: warning,
      expireAfterSeconds: expireAfter,
      ...(destination && { destinationId: destination.id, requestedOptions: request.options }),
      ...(notBefore && { notBefore: timestampFromDate(notBefore) }),
      discardsDocument: !(retain ?? !getCaller(ctx).organization.discardsDocuments),
      ...document,
      printsLimit,
      actor,
      createdBy,
      interface: by,
      traceparent: currentTraceparent(),
    }
  }
}

const isLookUp = ({ document }: PrintJobRequest) => 'contentType' in document && isUri(document.contentType)
