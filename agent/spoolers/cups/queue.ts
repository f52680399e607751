/** The attributes of a queue of CUPS that limit the options of a job. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { type IppAttributes, type IppValue, isRange } from '@platen/ipp/attributes.ts'
import type { ReportedPrinterSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { DEFAULT_ATTRIBUTES } from './queue-defaults.ts'

type Capabilities = NonNullable<MessageInitShape<typeof ReportedPrinterSchema>['capabilities']>

export interface Queue {
  /** The result of Get-Printer-Attributes for `QUEUE_ATTRIBUTES`. */
  attributes: IppAttributes
  /** Reported papers: sizes in tenths of a millimetre by name. A roll has no height. */
  papers: ReadonlyMap<string, { width?: number; height?: number }>
  /** Reported resolutions, "600x600". */
  dpis: readonly string[]
  /** The reported maximum of copies of one job. */
  copies?: number
  /** The attributes of its driverless device, if the queue has no usable default paper and the device answered. */
  device?: IppAttributes
  /** Whether its filters make rasters, which they rotate for some custom papers: `rotated-papers.ts`. */
  isRaster?: boolean
}

/** The part of a queue that is taken from the last report. */
export type ReportedQueue = Omit<Queue, 'attributes' | 'device' | 'isRaster'>

export const toReportedQueue = ({ papers = [], dpis = [], copies }: Capabilities): ReportedQueue => ({
  papers: new Map(papers.map(({ name, size }) => [String(name), { ...size }])),
  dpis,
  copies,
})

export const QUEUE_ATTRIBUTES = [
  'copies-supported',
  'device-uri',
  'media-col-default',
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
  ...DEFAULT_ATTRIBUTES,
]

/** Whether the values or ranges contain the value. */
export function offersInteger(offered: IppValue[] | undefined, value: number): boolean {
  return offered?.some((one) => one === value || (isRange(one) && one.lower <= value && value <= one.upper)) ?? false
}
