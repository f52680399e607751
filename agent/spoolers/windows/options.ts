/**
 * Applies print options on Windows: by settings of the driver or by the placement of the pages. Pure.
 * Reference: docs/reference/options.md#platforms.
 */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import { isIgnoredOnWindows } from '@platen/proto/windows-options.ts'
import { formatSize, ignoredOption, notOffered } from '../ignored-option.ts'
import type { PlacementOptions } from '../pdf/placement.ts'
import type { DriverOffer } from './device-capabilities.ts'
import { DMPAPER_USER, type Duplex, PAPER_MAX, type PaperSetting } from './devmode.ts'

export interface PrintPlan {
  pages?: string
  copies: number
  placement: PlacementOptions
  /** The requested settings of the driver. */
  paper?: PaperSetting
  bin?: number
  color?: boolean
  duplex?: Duplex
  /** One sentence per dropped option. */
  warnings: string[]
}

type Planned = Partial<Omit<PrintPlan, 'warnings'>> | { dropped: string }

const NOT_OFFERED: Planned = { dropped: notOffered() }

export function planOptions(options: JsonObject, offer: DriverOffer): PrintPlan {
  const plan: PrintPlan = { copies: 1, placement: {}, warnings: [] }
  for (const [name, value] of Object.entries(options)) {
    if (value === null) continue
    const planned = planOption(name, value, offer)
    if ('dropped' in planned) plan.warnings.push(ignoredOption(name, value, planned.dropped))
    else Object.assign(plan, planned, { placement: { ...plan.placement, ...planned.placement } })
  }
  return plan
}

function planOption(name: string, value: JsonValue, offer: DriverOffer): Planned {
  if (isIgnoredOnWindows(name, value)) return { dropped: 'it is not available on Windows' }
  const { capabilities } = offer
  switch (name) {
    case 'pages':
      return { pages: String(value) }
    case 'copies':
      return planCopies(Number(value), capabilities.copies ?? 1)
    case 'fit_to_page':
      return { placement: { fit: value === true } }
    case 'rotate':
      return { placement: { rotate: Number(value) } }
    case 'color':
      return value === true && !capabilities.color ? NOT_OFFERED : { color: value === true }
    case 'duplex':
      return planDuplex(value, offer)
    case 'paper':
      return planPaper(value, offer)
    case 'bin': {
      const bin = offer.binIds.get(String(value))
      return bin === undefined ? { dropped: notOffered(offer.binIds.keys()) } : { bin }
    }
    default:
      return { dropped: 'this version of the agent does not support it' }
  }
}

function planCopies(copies: number, maximum: number): Planned {
  if (copies <= maximum) return { copies }
  return maximum === 1 ? NOT_OFFERED : { dropped: `this printer makes at most ${maximum} copies` }
}

const SIDES: readonly Duplex[] = ['one-sided', 'long-edge', 'short-edge']

/** A printer without duplex needs no setting to print on one side. */
function planDuplex(value: JsonValue, { capabilities }: DriverOffer): Planned {
  const duplex = SIDES.find((one) => one === value)
  if (!duplex) return { dropped: notOffered(capabilities.duplex ? SIDES : ['one-sided']) }
  if (capabilities.duplex) return { duplex }
  return duplex === 'one-sided' ? {} : { dropped: notOffered(['one-sided']) }
}

/** @param value the name of a reported paper, or a custom paper with its size. */
function planPaper(value: JsonValue, { paperIds, capabilities }: DriverOffer): Planned {
  if (typeof value === 'string') {
    const id = paperIds.get(value)
    return id === undefined ? { dropped: notOffered(paperIds.keys()) } : { paper: { id } }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return NOT_OFFERED
  const size = { width: Number(value.width), height: Number(value.height) }
  if (!capabilities.supportsCustomPaperSize) return { dropped: 'this printer does not support custom papers' }
  const { min, max } = capabilities.extent ?? {}
  const smallest = { width: min?.width ?? 1, height: min?.height ?? 1 }
  const largest = {
    width: Math.min(PAPER_MAX, max?.width || PAPER_MAX),
    height: Math.min(PAPER_MAX, max?.height || PAPER_MAX),
  }
  const isSupported = (side: 'width' | 'height') => size[side] >= smallest[side] && size[side] <= largest[side]
  if (!isSupported('width') || !isSupported('height')) {
    const range = `${formatSize(smallest)} to ${formatSize(largest)}`
    return { dropped: `this printer supports sizes from ${range}, not ${formatSize(size)}` }
  }
  return { paper: { id: DMPAPER_USER, size } }
}
