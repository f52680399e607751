/** Raw printers whose language is known. Reference: docs/network-printers.md#pdf-on-raw-printers. */
import { DRAWN_LANGUAGES, type DrawnLanguage, RAW_LANGUAGES, type RawLanguage } from '@platen/proto/raw-languages.ts'

/** A printer for which the agent draws PDFs. */
export interface RasterPrinter {
  rawLanguage: DrawnLanguage
  /** Dots per inch. */
  dpi: number
  /** The width of the printed area, in dots. */
  width: number
}

/** What a user or the model of a printer says. A language in which the agent does not draw is for questions only. */
export interface RasterSettings extends Partial<Omit<RasterPrinter, 'rawLanguage'>> {
  rawLanguage?: RawLanguage
  /** False: the agent does not ask the printer for its state. */
  deviceWord?: boolean
}

/** Settings by the name of the printer. False: nothing is drawn for it. */
export type RasterConfig = Record<string, RasterSettings | false>

const DPI = { min: 100, max: 600, default: 203 }
const WIDTH = { min: 64, max: 4_800 }

/** A label of 4 inches, and the area of a receipt of 80 mm. */
const WIDTH_MM = { zpl: 101.6, escpos: 72.1 }

const LANGUAGES: readonly unknown[] = RAW_LANGUAGES
const LANGUAGES_TEXT = RAW_LANGUAGES.map((language) => `"${language}"`).join(', ')

const isDrawn = (language: unknown): language is DrawnLanguage =>
  (DRAWN_LANGUAGES as readonly unknown[]).includes(language)

/**
 * @param value of `rasterize` in `agent.json`.
 * @param faults a phrase is added for each fault.
 */
export function parseRasterConfig(value: unknown, faults: string[]): RasterConfig {
  if (value === undefined) return {}
  if (!isRecord(value)) {
    faults.push('"rasterize" must have the form {"Zebra": {"rawLanguage": "zpl", "dpi": 203, "width": 812}}')
    return {}
  }
  for (const [name, printer] of Object.entries(value))
    if (printer !== false) faults.push(...findFaults(printer).map((fault) => `"rasterize.${name}": ${fault}`))
  return value as RasterConfig
}

function findFaults(printer: unknown): string[] {
  if (!isRecord(printer)) return ['must be an object with "rawLanguage", or false']
  const { rawLanguage, dpi, width, deviceWord, ...unknown } = printer
  const faults = Object.keys(unknown).map((field) => `unknown field "${field}"`)
  if (rawLanguage !== undefined && !LANGUAGES.includes(rawLanguage))
    faults.push(`"rawLanguage" must be one of ${LANGUAGES_TEXT}`)
  if (deviceWord !== undefined && typeof deviceWord !== 'boolean') faults.push('"deviceWord" must be true or false')
  if (dpi !== undefined && !isBetween(dpi, DPI)) faults.push(`"dpi" must be an integer from ${DPI.min} to ${DPI.max}`)
  if (width !== undefined && !isBetween(width, WIDTH))
    faults.push(`"width" must be a number of dots from ${WIDTH.min} to ${WIDTH.max}`)
  return faults
}

/** Whether what an agent says of a printer that it has found is within the limits of `agent.json`. */
export const isRasterSettings = ({ rawLanguage, dpi, width }: Partial<Record<keyof RasterPrinter, unknown>>) =>
  findFaults({ rawLanguage, dpi, width }).length === 0

/** Whether a printer that an agent reports is within the limits of `agent.json`. */
export const isRasterPrinter = ({ rawLanguage, dpi, width }: Partial<Record<keyof RasterPrinter, unknown>>) =>
  isDrawn(rawLanguage) && findFaults({ rawLanguage, dpi, width }).length === 0

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isBetween = (value: unknown, { min, max }: { min: number; max: number }) =>
  Number.isInteger(value) && Number(value) >= min && Number(value) <= max

/**
 * @param configured has precedence. @param recognized by the model.
 * @returns undefined if the language of the printer is not known, or the agent does not draw in it.
 */
export function resolveRaster(
  configured: RasterConfig[string] | undefined,
  recognized: RasterSettings | undefined,
): RasterPrinter | undefined {
  if (configured === false) return undefined
  const { rawLanguage, dpi = DPI.default, width } = { ...recognized, ...configured }
  if (!isDrawn(rawLanguage)) return undefined
  return { rawLanguage, dpi, width: width ?? Math.round((WIDTH_MM[rawLanguage] / 25.4) * dpi) }
}

/** The language in which a printer may be asked; undefined for a printer that is not asked. */
export function getWordLanguage(configured: RasterConfig[string] | undefined): RawLanguage | undefined {
  return configured && configured.deviceWord !== false ? configured.rawLanguage : undefined
}

/**
 * @param rasterize of `agent.json`, which the dashboard cannot change.
 * @returns why a raw printer is not asked for its state, and what to do.
 */
export function explainNotAsked(name: string, rasterize: RasterConfig = {}): string {
  const own = Object.hasOwn(rasterize, name) ? rasterize[name] : undefined
  if (own && own.deviceWord === false)
    return `"${name}" is not asked: "deviceWord" is false in its entry of "rasterize" in agent.json.`
  if (own !== undefined) return `"${name}" is not asked: its entry of "rasterize" in agent.json names no language.`
  return `"${name}" is not asked: it has no language. Set it on the page of the printer in the dashboard, or in "rasterize" of agent.json.`
}

/** Their heads have 512 dots for 80 mm. */
const EPSON_180_DPI = /TM-(T70|T81|T82|T83|T88|T90|L90)/

/**
 * Recognizes a printer by the device URI of its queue, which contains the model that a USB device reports.
 *
 * @param uri "usb://Zebra%20Technologies/ZTC%20ZD420-203dpi%20ZPL?serial=1".
 */
export function recognizeRaster(uri: string): RasterSettings | undefined {
  return uri.startsWith('usb://') ? recognizeModel(decode(uri).slice('usb://'.length)) : undefined
}

/** Star printers that draw themselves (TSP100) have another language. */
const STAR = /^Star (Micronics )?(TSP[678]\d\d|mC-Print|MCP)/i
const SATO = /^SATO (CL|CT|WS|PW|FX)\d/i

/** @param model with or without its manufacturer: "ZTC ZD420-203dpi ZPL", "EPSON TM-m30II". */
export function recognizeModel(model: string): RasterSettings | undefined {
  if (/^(Zebra|ZTC).*ZPL/i.test(model)) {
    const [, dpi] = /(\d{3})\s?dpi/i.exec(model) ?? []
    return { rawLanguage: 'zpl', ...(dpi !== undefined && { dpi: Number(dpi) }) }
  }
  if (STAR.test(model)) return { rawLanguage: 'star' }
  if (SATO.test(model)) return { rawLanguage: 'sbpl' }
  if (!/^EPSON[/ ]TM-[TLmP]/.test(model)) return undefined
  return EPSON_180_DPI.test(model)
    ? { rawLanguage: 'escpos', dpi: 180, width: 512 }
    : { rawLanguage: 'escpos', dpi: 203, width: 576 }
}

function decode(uri: string): string {
  try {
    return decodeURIComponent(uri)
  } catch {
    return uri
  }
}
