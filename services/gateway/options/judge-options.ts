/**
 * Merges the print options of a job with the defaults of the printer, and drops with a warning what the printer or its platform does not
 * offer. Pure. Reference: docs/reference/options.md#rules.
 */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import type { CustomPaper, PrinterCapabilities } from '@platen/proto/gen/platen/devices/v1/printer_pb.ts'
import { quoted } from '../request/invalid-request.ts'

/** What is known of a printer when a job is created for it. */
export interface PrinterFacts {
  defaultOptions: JsonObject
  customPapers: Pick<CustomPaper, 'name' | 'width' | 'height'>[]
  capabilities: Pick<
    PrinterCapabilities,
    'papers' | 'bins' | 'dpis' | 'medias' | 'duplex' | 'color' | 'collate' | 'copies' | 'nup'
  >
  /** Of the computer: "windows", "macos", "linux". */
  os: string
}

export interface JudgedOptions {
  /** For people: what was asked, merged with the printer's defaults. */
  options: JsonObject
  /** For the agent: without nulls and without what was dropped. */
  effectiveOptions: JsonObject
  /** Names each option that was dropped, its value and why; nothing when none was. */
  warning: string | undefined
}

/**
 * An option that is `null` is not filled in and not sent: the device does as it does by itself. Raw jobs ignore all options, and are
 * not warned.
 *
 * @param asked well-formed: see `upload/print-options.ts`.
 */
export function judgeOptions(asked: JsonObject, printer: PrinterFacts, isRaw: boolean): JudgedOptions {
  const options = { ...printer.defaultOptions, ...asked }
  if (isRaw) return { options, effectiveOptions: {}, warning: undefined }
  const effectiveOptions: JsonObject = {}
  const dropped: string[] = []
  for (const [name, value] of Object.entries(options)) {
    if (value === null) continue
    const verdict = judge(name, value, printer)
    if ('dropped' in verdict) dropped.push(`${name} ${shown(value)} (${verdict.dropped})`)
    else effectiveOptions[name] = verdict.honoured
  }
  const warning = dropped.length === 0 ? undefined : `Ignored options: ${dropped.join('; ')}.`
  return { options, effectiveOptions, warning }
}

type Verdict = { honoured: JsonValue } | { dropped: string }

const NOT_ON_WINDOWS: Verdict = { dropped: 'not available on Windows' }
const NOT_OFFERED: Verdict = { dropped: 'not offered by this printer' }

function judge(name: string, value: JsonValue, printer: PrinterFacts): Verdict {
  if (printer.os === 'windows' && isIgnoredOnWindows(name, value)) return NOT_ON_WINDOWS
  const { capabilities } = printer
  const ifOffered = (offered: boolean): Verdict => (offered ? { honoured: value } : NOT_OFFERED)
  switch (name) {
    case 'bin':
      return ifOffered(capabilities.bins.includes(String(value)))
    case 'media':
      return ifOffered(capabilities.medias.includes(String(value)))
    case 'dpi':
      return judgeDpi(String(value), capabilities.dpis)
    case 'paper':
      return judgePaper(String(value), printer)
    case 'copies':
      // A driver that reports no count still prints one.
      return ifOffered(Number(value) <= Math.max(1, capabilities.copies))
    case 'nup':
      return ifOffered(capabilities.nup.includes(Number(value)))
    case 'duplex':
      return ifOffered(value === 'one-sided' || capabilities.duplex)
    case 'color':
      return ifOffered(value === false || capabilities.color)
    case 'collate':
      return ifOffered(value === false || capabilities.collate)
    default:
      // `pages`, `rotate` and `fit_to_page` are the agent's own work, whatever the printer.
      return { honoured: value }
  }
}

const IGNORED_ON_WINDOWS = new Set(['nup', 'dpi', 'media', 'collate'])

function isIgnoredOnWindows(name: string, value: JsonValue): boolean {
  return IGNORED_ON_WINDOWS.has(name) || (name === 'rotate' && value === 180)
}

/** `300` means `300x300`; the agent gets the form that the printer reports. */
function judgeDpi(dpi: string, offered: string[]): Verdict {
  const found = offered.find((one) => one === dpi) ?? offered.find((one) => one === `${dpi}x${dpi}`)
  return found === undefined ? NOT_OFFERED : { honoured: found }
}

/** A custom paper wins over a driver's of the same name. The driver does not know it, so its size goes along. */
function judgePaper(name: string, { customPapers, capabilities }: PrinterFacts): Verdict {
  const custom = customPapers.find((paper) => paper.name === name)
  if (custom) return { honoured: { name, width: custom.width, height: custom.height } }
  return capabilities.papers.some((paper) => paper.name === name) ? { honoured: name } : NOT_OFFERED
}

/** Values from the request are truncated for the message. */
const shown = (value: JsonValue) => (typeof value === 'string' ? quoted(value) : String(value))
