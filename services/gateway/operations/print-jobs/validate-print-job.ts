import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { JobDetailsSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { COMPUTER, computerToJson } from '@platen/resources/computer-schema.ts'
import { EVENT_PRINTER } from '@platen/resources/event-schema.ts'
import { EXAMPLE_IDS } from '@platen/resources/example-of.ts'
import { explain, WAITING_CODES } from '@platen/resources/explain/explain.ts'
import type { Found } from '@platen/resources/explain/facts.ts'
import { toFacts } from '@platen/resources/explain/to-facts.ts'
import { id } from '@platen/resources/fields.ts'
import { WAITING_STATES } from '@platen/resources/job-states.ts'
import { PRINT_OPTIONS } from '@platen/resources/print-options.ts'
import { printerToJson } from '@platen/resources/printer-schema.ts'
import { resolveOptions } from '@platen/resources/resolve-options.ts'
import { type ReportedFormats, takesFormat } from '@platen/resources/takes-format.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { orMissing } from '@platen/runtime/rpc/or-missing.ts'
import { z } from 'zod'
import type { Tenant } from '../../context.ts'
import type { Gateway } from '../../gateway.ts'
import { LIST, operation } from '../../operation/operation.ts'
import { findTarget, type Target } from '../../print-jobs/find-target.ts'
import { preparePrintJob } from '../../print-jobs/prepare-print-job.ts'
import { checkedUrl } from '../../print-jobs/upload/choose-document.ts'
import {
  isRaw,
  isUri,
  PRINT_JOB_CHECK,
  type PrintJobRequest,
  toPrintJobRequest,
} from '../../print-jobs/upload/print-job-request.ts'

/** Waiting jobs are counted up to this number. */
const JOBS_BEFORE_MAX = 100

const WARNING_CODES = ['document-format-not-supported', 'option-ignored', ...WAITING_CODES]

const WARNING = z
  .object({
    code: z.enum(WARNING_CODES).meta({
      description: 'The warning for programs. New ones can be added.',
      example: 'computer-offline',
    }),
    message: z.string().meta({
      description: 'The warning for people.',
      example: 'Computer Back office has been offline for 12 min. The job expires at 2026-03-03 09:30 UTC.',
    }),
  })
  .meta({ id: 'PrintJobWarning', description: 'A reason why the job would wait, fail or look different.' })

const VALIDATION = z
  .object({
    refusal: z
      .object({
        code: z.string().meta({ description: 'The code of the error.', example: 'printer_disabled' }),
        message: z.string().meta({
          description: 'The message of the error.',
          example: 'This printer is disabled. Enable it, or choose another one.',
        }),
      })
      .meta({ id: 'PrintJobRefusal', description: 'The error of a creation.' })
      .nullable()
      .meta({ description: 'The error that a creation would get. Null if it would be accepted.', example: null }),
    warnings: z
      .array(WARNING)
      .meta({ description: 'The causes that would keep the job from being printed as requested.' }),
    options: PRINT_OPTIONS.nullable().meta({
      description:
        'The options with the defaults of the printer, without those that it ignores. Null after a refusal, and empty for raw data.',
    }),
    jobsBefore: z
      .int()
      .nullable()
      .meta({
        description: `The number of jobs that would be printed before, up to ${JOBS_BEFORE_MAX}. Null without the printer.`,
        example: 0,
      }),
    destinationId: id().nullable().meta({
      description: 'The id of the destination. `printer` is the one that would get the job now. Null without one.',
      example: null,
    }),
    printer: EVENT_PRINTER.nullable().meta({
      description: 'The printer, without its capabilities. Null if the key has no such printer.',
    }),
    computer: COMPUTER.nullable().meta({ description: 'The computer of the printer. Null without the printer.' }),
  })
  .meta({ id: 'PrintJobValidation', description: 'The result of a creation, as far as it is known before.' })

/** Nothing is stored, and no limit counts it. */
export const validatePrintJob = operation({
  operationId: 'validatePrintJob',
  method: 'post',
  path: '/v1/printjobs/validate',
  scope: 'print',
  tag: 'Print jobs',
  summary: 'Validate a print job',
  description: `Answers what a creation with the same fields would do, without creating a job: the error that it would get, and what would keep the job from being printed as requested.

The body is that of a creation without the document: leave \`content\` out. A URL in \`content\` is checked as at a creation, but not fetched. Limits of prints and of stored jobs are not checked, because they can change until the creation.`,
  body: PRINT_JOB_CHECK,
  bodyExamples: {
    'A PDF': {
      printerId: EXAMPLE_IDS.printer,
      title: 'Invoice 1042',
      contentType: 'pdf_base64',
      options: { duplex: 'long-edge' },
    },
  },
  units: LIST,
  answer: { status: 200, description: 'The result.', schema: VALIDATION },
  handle: (gateway) => {
    const { devices, jobs, clock } = gateway
    return async ({ tenant, body }) => {
      const sent = toPrintJobRequest(body)
      const target = await orRefusal(findTarget(gateway, tenant, sent))
      if ('refusal' in target) return { ...WITHOUT_PRINTER, ...target }
      const { printerId, destination } = target
      const before = destination
        ? { destinationId: destination.id, states: ['queued'] }
        : { printerId, states: WAITING }
      const [checked, found, waiting] = await Promise.all([
        orRefusal(check(gateway, tenant, sent, target, body.content)),
        orMissing(devices.getPrinter({ ...tenant, printerId })),
        jobs.listJobs({ ...tenant, ...before, page: { limit: JOBS_BEFORE_MAX } }),
      ])
      const printer = found?.printer
      const answer = printer && (await orMissing(devices.getComputer({ ...tenant, computerId: printer.computerId })))
      const computer = answer?.computer
      const { capabilities, ...shown } = printer ? printerToJson(printer) : {}
      const prepared = 'refusal' in checked ? undefined : checked
      return {
        refusal: 'refusal' in checked ? checked.refusal : null,
        warnings:
          prepared && printer && capabilities
            ? [
                ...findWarnings(prepared, { printer, computer, destination, capabilities }, clock.now()),
                ...(await findLaterWarnings(gateway, tenant, sent, target)),
              ]
            : [],
        options: prepared ? keepApplied(prepared) : null,
        jobsBefore: printer ? waiting.jobs.length : null,
        destinationId: destination?.id ?? null,
        printer: printer ? shown : null,
        computer: computer ? computerToJson(computer) : null,
      }
    }
  },
})

/** @throws ApiError as a creation. */
async function check(
  gateway: Gateway,
  tenant: Tenant,
  request: PrintJobRequest,
  target: Target,
  content: string | undefined,
) {
  const prepared = await preparePrintJob(gateway, tenant, request, target)
  const { document } = prepared
  if ('reprintOf' in document) {
    const { details } = await gateway.jobs.getJobDetails({ ...tenant, jobId: document.reprintOf })
    if (!details?.documentKeptUntil)
      throw new ApiError('file_expired', 'The job of `reprintOf` has no stored file. Create a job with `content`.', {
        param: 'reprintOf',
      })
    return { ...prepared, contentType: details.job?.contentType ?? '' }
  }
  const { contentType } = document
  if (isUri(contentType) && content !== undefined) await checkedUrl(gateway.publicNetwork, content)
  return { ...prepared, contentType }
}

/** The options as the request names them: the agent gets the size of a custom paper as well. */
const keepApplied = ({ options, effectiveOptions }: Checked) =>
  Object.fromEntries(Object.keys(effectiveOptions).map((name) => [name, options[name]]))

type Checked = Awaited<ReturnType<typeof check>>

interface Refused {
  refusal: { code: string; message: string }
}

/** The answer if no printer, or several, have the name. */
const WITHOUT_PRINTER = {
  ...{ warnings: [], options: null, jobsBefore: null },
  ...{ destinationId: null, printer: null, computer: null },
}

const WAITING = [...WAITING_STATES]

async function orRefusal<Found>(checked: Promise<Found>): Promise<Found | Refused> {
  return await checked.catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    return { refusal: { code: error.code, message: error.message } }
  })
}

type Devices = Pick<Found, 'printer' | 'computer' | 'destination'>

function findWarnings(
  checked: Checked,
  { capabilities, ...devices }: Devices & { capabilities: ReportedFormats },
  now: Date,
) {
  const { contentType, warning } = checked
  const found = findWaiting(devices, checked, now)
  const format = contentType.startsWith('raw_') ? 'raw' : 'pdf'
  if (!takesFormat(capabilities, format))
    found.unshift({
      code: 'document-format-not-supported',
      message: describeNotTaken(devices.printer?.displayName ?? '', capabilities, format),
    })
  if (warning) found.push({ code: 'option-ignored', message: warning })
  return found
}

function describeNotTaken(name: string, { formats }: ReportedFormats, format: 'pdf' | 'raw'): string {
  if (!formats)
    return `Printer ${name} reports no papers, as printers without a driver do. It probably accepts only data in its own language, and the job would end in \`error\`. Choose another printer.`
  if (format === 'raw')
    return `Printer ${name} does not accept raw data, so the job would end in \`error\`. Send a PDF or an image, or choose another printer.`
  return `Printer ${name} accepts only raw data in its own language, so the job would end in \`error\`. Send raw data, set the language of a ZPL or ESC/POS printer on its page in the dashboard, or choose another printer.`
}

/** @returns for each other printer of the destination: what it would ignore. */
async function findLaterWarnings(
  { printers }: Gateway,
  tenant: Tenant,
  { options, document }: PrintJobRequest,
  { destination, printerId: planned }: Target,
): Promise<z.infer<typeof WARNING>[]> {
  const others = destination?.printers.filter(({ printerId }) => printerId !== planned) ?? []
  const naming = { param: 'destination', canBeDisabled: true }
  const found = await Promise.all(
    others.map(async ({ printerId, name }) => {
      const printer = await orMissing(printers.forJob(tenant, printerId, naming))
      const warning = printer && resolveOptions(options, printer, isRaw(document)).warning
      return warning ? [{ code: 'option-ignored', message: `Printer ${name} would take the job so: ${warning}` }] : []
    }),
  )
  return found.flat()
}

/** @returns why the job would wait before or at its computer, as its explanation would say; at most one reason. */
function findWaiting(
  devices: Devices,
  { expireAfter }: Pick<Checked, 'expireAfter'>,
  now: Date,
): z.infer<typeof WARNING>[] {
  const expiresAt = timestampFromDate(new Date(now.getTime() + expireAfter * 1000))
  const explanations = ['queued', 'received'].map((state) => {
    const { id: printerId, computerId } = devices.printer ?? {}
    const destinationId = state === 'queued' ? devices.destination?.id : undefined
    const job = { printerId, computerId, destinationId, state, expiresAt }
    return explain(toFacts({ details: create(JobDetailsSchema, { job }), ...devices, deviceEvents: [] }, now))
  })
  // What waits at its computer says nothing about the printer that takes a job of a destination.
  const waiting = (devices.destination ? explanations.slice(0, 1) : explanations).find(({ code }) =>
    WAITING_CODES.includes(code),
  )
  return waiting ? [{ code: waiting.code, message: waiting.cause }] : []
}
