/**
 * Applies print options on Windows: by the settings of the driver, or by the way pages are drawn. Pure.
 * Reference: docs/reference/options.md#platforms.
 */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import { ignoredOption } from '../ignored-option.ts'
import type { DriverOffer } from './device-capabilities.ts'
import { DMPAPER_USER, type Duplex, PAPER_MAX, type PaperSetting } from './devmode.ts'
import type { PlacementOptions } from './placement.ts'

export interface PrintPlan {
  pages?: string
  copies: number
  placement: PlacementOptions
  /** What the driver is asked for. */
  paper?: PaperSetting
  bin?: number
  color?: boolean
  duplex?: Duplex
  /** A sentence for each option that was dropped. */
  warnings: string[]
}

type Planned = Partial<Omit<PrintPlan, 'warnings'>> | { dropped: string }

const NOT_ON_WINDOWS: Planned = { dropped: 'it is not available on Windows' }
const NOT_OFFERED: Planned = { dropped: 'this printer does not offer it' }

export function planOptions(options: JsonObject, offer: DriverOffer): PrintPlan {
  const plan: PrintPlan = { copies: 1, placement: {}, warnings: [] }
  for (const [name, value] of Object.entries(options)) {
    if (value === null) continue
    const planned = planOne(name, value, offer)
    if ('dropped' in planned) plan.warnings.push(ignoredOption(name, value, planned.dropped))
    else Object.assign(plan, planned, { placement: { ...plan.placement, ...planned.placement } })
  }
  return plan
}

function planOne(name: string, value: JsonValue, offer: DriverOffer): Planned {
  const { capabilities } = offer
  switch (name) {
    case 'pages':
      return { pages: String(value) }
    case 'copies':
      return Number(value) <= (capabilities.copies ?? 1) ? { copies: Number(value) } : NOT_OFFERED
    case 'fit_to_page':
      return { placement: { fit: value === true } }
    case 'rotate':
      return value === 180 ? NOT_ON_WINDOWS : { placement: { rotate: Number(value) } }
    case 'color':
      return value === true && !capabilities.color ? NOT_OFFERED : { color: value === true }
    case 'duplex':
      return planDuplex(value, offer)
    case 'paper':
      return planPaper(value, offer)
    case 'bin': {
      const bin = offer.binIds.get(String(value))
      return bin === undefined ? NOT_OFFERED : { bin }
    }
    case 'nup':
    case 'dpi':
    case 'media':
    case 'collate':
      return NOT_ON_WINDOWS
    default:
      return { dropped: 'this agent does not know the option' }
  }
}

const SIDES: readonly Duplex[] = ['one-sided', 'long-edge', 'short-edge']

/** One side needs no word to a printer that knows no other way. */
function planDuplex(value: JsonValue, { capabilities }: DriverOffer): Planned {
  const duplex = SIDES.find((one) => one === value)
  if (!duplex) return NOT_OFFERED
  if (capabilities.duplex) return { duplex }
  return duplex === 'one-sided' ? {} : NOT_OFFERED
}

/** @param value a name out of the capabilities, or a custom paper with its size. */
function planPaper(value: JsonValue, { paperIds, capabilities }: DriverOffer): Planned {
  if (typeof value === 'string') {
    const id = paperIds.get(value)
    return id === undefined ? NOT_OFFERED : { paper: { id } }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return NOT_OFFERED
  const size = { width: Number(value.width), height: Number(value.height) }
  if (!capabilities.supportsCustomPaperSize) return { dropped: 'this printer takes no papers of a custom size' }
  const { min, max } = capabilities.extent ?? {}
  const isBetween = (side: 'width' | 'height') =>
    size[side] >= (min?.[side] ?? 1) && size[side] <= Math.min(PAPER_MAX, max?.[side] || PAPER_MAX)
  if (!isBetween('width') || !isBetween('height')) return { dropped: 'this printer takes no paper of that size' }
  return { paper: { id: DMPAPER_USER, size } }
}
