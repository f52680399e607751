/**
 * Merges the print options of a job with the defaults of the printer, and drops with a warning what the printer or its
 * platform does not offer. Pure. Reference: docs/reference/options.md#rules.
 */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import type { CustomPaper, PrinterCapabilities } from '@platen/proto/gen/platen/devices/v1/printer_pb.ts'
import { isIgnoredOnWindows } from '@platen/proto/windows-options.ts'
import { quoted } from './text.ts'

/** The facts of a printer that decide about options. */
export interface PrinterFacts {
  defaultOptions: JsonObject
  customPapers: Pick<CustomPaper, 'name' | 'width' | 'height'>[]
  capabilities: Pick<
    PrinterCapabilities,
    'papers' | 'bins' | 'dpis' | 'medias' | 'duplex' | 'color' | 'collate' | 'copies' | 'nup'
  >
  /** The system of the computer: "windows", "macos", "linux". */
  os: string
}

export interface ResolvedOptions {
  /** For people: the requested options, merged with the printer's defaults. */
  options: JsonObject
  /** For the agent: without nulls and dropped options. */
  effectiveOptions: JsonObject
  /** Names each dropped option, its value and the reason; undefined if none was dropped. */
  warning: string | undefined
}

/**
 * An option that is `null` gets no default and is not sent. Raw jobs ignore all options without a warning.
 *
 * @param requested parsed by `PRINT_OPTIONS`.
 */
export function resolveOptions(requested: JsonObject, printer: PrinterFacts, isRaw: boolean): ResolvedOptions {
  const options = { ...printer.defaultOptions, ...requested }
  if (isRaw) return { options, effectiveOptions: {}, warning: undefined }
  const effectiveOptions: JsonObject = {}
  const dropped: string[] = []
  for (const [name, value] of Object.entries(options)) {
    if (value === null) continue
    const resolved = resolveOption(name, value, printer)
    if ('dropped' in resolved) dropped.push(`${name} ${shown(value)} (${resolved.dropped})`)
    else effectiveOptions[name] = resolved.applied
  }
  const warning = dropped.length === 0 ? undefined : `Ignored options: ${dropped.join('; ')}.`
  return { options, effectiveOptions, warning }
}

type Resolved = { applied: JsonValue } | { dropped: string }

const OFFERED_SHOWN_MAX = 5

function resolveOption(name: string, value: JsonValue, printer: PrinterFacts): Resolved {
  if (printer.os === 'windows' && isIgnoredOnWindows(name, value)) return { dropped: 'not available on Windows' }
  const { capabilities } = printer
  const oneOf = (offered: JsonValue[]) => (offered.includes(value) ? { applied: value } : notOffered(offered))
  const ifOffered = (isOffered: boolean) => (isOffered ? { applied: value } : notOffered())
  switch (name) {
    case 'bin':
      return oneOf(capabilities.bins)
    case 'media':
      return oneOf(capabilities.medias)
    case 'nup':
      return oneOf(capabilities.nup)
    case 'dpi':
      return resolveDpi(String(value), capabilities.dpis)
    case 'paper':
      return resolvePaper(String(value), printer)
    case 'copies': {
      // A printer whose driver reports no count prints one.
      const max = Math.max(1, capabilities.copies)
      return Number(value) <= max ? { applied: value } : { dropped: `this printer offers at most ${max}` }
    }
    case 'duplex':
      return ifOffered(value === 'one-sided' || capabilities.duplex)
    case 'color':
      return ifOffered(value === false || capabilities.color)
    case 'collate':
      return ifOffered(value === false || capabilities.collate)
    default:
      // The agent itself applies `pages`, `crop`, `rotate` and `fit_to_page`, on any printer.
      return { applied: value }
  }
}

/** `300` means `300x300`; the agent gets the form that the printer reports. */
function resolveDpi(dpi: string, offered: string[]): Resolved {
  const found = offered.find((one) => one === dpi) ?? offered.find((one) => one === `${dpi}x${dpi}`)
  return found === undefined ? notOffered(offered) : { applied: found }
}

/**
 * A custom paper has precedence over a paper of the driver with the same name. Its size is sent, because the driver
 * does not know it.
 */
function resolvePaper(name: string, { customPapers, capabilities }: PrinterFacts): Resolved {
  const custom = customPapers.find((paper) => paper.name === name)
  if (custom) return { applied: { name, width: custom.width, height: custom.height } }
  const names = [...customPapers, ...capabilities.papers].map((paper) => paper.name)
  return names.includes(name) ? { applied: name } : notOffered([...new Set(names)])
}

function notOffered(offered: JsonValue[] = []): Resolved {
  if (offered.length === 0) return { dropped: 'not offered by this printer' }
  const more = offered.length - OFFERED_SHOWN_MAX
  const names = offered.slice(0, OFFERED_SHOWN_MAX).map(shown).join(', ')
  return { dropped: `this printer offers ${names}${more > 0 ? ` and ${more} more` : ''}` }
}

/** Texts are truncated for the message. */
const shown = (value: JsonValue) => (typeof value === 'string' ? quoted(value) : String(value))
