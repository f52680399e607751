/** What a queue of CUPS offers. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ReportedPrinterSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { type IppAttributes, type IppValue, isRange } from '../../ipp/attributes.ts'

type Capabilities = NonNullable<MessageInitShape<typeof ReportedPrinterSchema>['capabilities']>

export interface Queue {
  /** In CUPS' own words, by Get-Printer-Attributes of `QUEUE_ATTRIBUTES`. */
  attributes: IppAttributes
  /** Sizes in tenths of a millimetre of the papers that were reported, by their names; a roll has no height. */
  papers: ReadonlyMap<string, { width?: number; height?: number }>
  /** As they were reported. */
  dpis: readonly string[]
  /** The most that the device makes of one job, as it was reported. */
  copies?: number
}

/** What was reported of it. */
export type ReportedQueue = Omit<Queue, 'attributes'>

export const toReportedQueue = ({ papers = [], dpis = [], copies }: Capabilities): ReportedQueue => ({
  papers: new Map(papers.map(({ name, size }) => [String(name), { ...size }])),
  dpis,
  copies,
})

export const QUEUE_ATTRIBUTES = [
  'copies-supported',
  'media-size-supported',
  'media-source-supported',
  'media-type-supported',
  'multiple-document-handling-supported',
  'number-up-supported',
  'print-color-mode-supported',
  'print-scaling-supported',
  'printer-make-and-model',
  'printer-resolution-supported',
  'sides-supported',
]

export function offersInteger(offered: IppValue[] | undefined, value: number): boolean {
  return offered?.some((one) => one === value || (isRange(one) && one.lower <= value && value <= one.upper)) ?? false
}
