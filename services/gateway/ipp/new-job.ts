/** What a request says about the job that it creates. */
import type { JsonObject } from '@bufbuild/protobuf'
import type { IppTypedAttributes } from '@platen/ipp/attributes.ts'
import { PRINT_JOB_LIMITS } from '@platen/resources/limits.ts'
import { toOptions } from './attributes/to-options.ts'
import { requireCompression, requireFormat } from './documents/require-format.ts'
import type { PrinterCall } from './operation.ts'
import { IppRefusal } from './refusal.ts'

export const SOURCE = 'ipp'

const { titleLengthMax } = PRINT_JOB_LIMITS

export interface NewIppJob {
  title: string
  /** Empty if the computer names none. It decides nothing. */
  reportedUser: string
  options: JsonObject
  qty: number
  /** What was dropped. */
  unsupported: IppTypedAttributes
}

/**
 * Used by the operations that create a job or could.
 *
 * @throws IppRefusal for a printer that accepts no jobs, a format or compression that it does not take, and with
 *   `ipp-attribute-fidelity` for an attribute that it does not support.
 */
export function readNewJob({ target, offer, operationAttributes, jobAttributes }: PrinterCall): NewIppJob {
  if (target.closed !== undefined) throw new IppRefusal('server-error-not-accepting-jobs', target.closed)
  requireFormat(operationAttributes, offer)
  requireCompression(operationAttributes)
  const { options, qty, unsupported } = toOptions(jobAttributes, offer)
  if (operationAttributes.boolean('ipp-attribute-fidelity') && Object.keys(unsupported).length > 0)
    throw new IppRefusal(
      'client-error-attributes-or-values-not-supported',
      `This printer does not support ${Object.keys(unsupported).join(', ')} as sent.`.slice(0, 255),
      unsupported,
    )
  const title = operationAttributes.text('job-name') || operationAttributes.text('document-name')
  return {
    title: toText(title) || 'Untitled',
    reportedUser: toText(operationAttributes.text('requesting-user-name')),
    options,
    qty,
    unsupported,
  }
}

/** @returns the text without control characters and lone surrogates, cut to the limit. */
const toText = (text = '') =>
  [
    ...text
      .toWellFormed()
      .replaceAll(/\p{Cc}/gu, ' ')
      .trim(),
  ]
    .slice(0, titleLengthMax)
    .join('')

/** The options of a submission, with the prints of the job. Its table has one column for both. */
export const packOptions = ({ options, qty }: Pick<NewIppJob, 'options' | 'qty'>): JsonObject => ({ options, qty })

export function unpackOptions(packed: JsonObject | undefined): Pick<NewIppJob, 'options' | 'qty'> {
  const { options, qty } = packed ?? {}
  return { options: (options ?? {}) as JsonObject, qty: typeof qty === 'number' ? qty : 1 }
}
